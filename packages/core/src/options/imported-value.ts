/** What to import for an option. */
export interface Import {
  /** The name of the feature. */
  readonly feature: string;
  /** The name of the function. */
  readonly name: string;
  readonly from: string;
  /** A call of the function. */
  readonly call: string;
}

export const NOTICES: Import = {
  feature: 'notices',
  name: 'notices',
  from: '@sluice/quotas',
  call: 'notices(0.75, 0.9)',
};
export const USAGE: Import = { feature: 'usage', name: 'usage', from: '@sluice/quotas', call: 'usage()' };
export const BALANCE: Import = {
  feature: 'balance',
  name: 'balance',
  from: '@sluice/quotas',
  call: "balance({ covers: ['month'] })",
};
export const FAIR: Import = {
  feature: 'fair',
  name: 'fairBy',
  from: '@sluice/overload/fair',
  call: 'fairBy(({ tenant }) => tenant)',
};

export const LINE: Import = {
  feature: 'line',
  name: 'line',
  from: '@sluice/overload/line',
  call: "line({ longest: '5m', by: ({ worker }) => worker })",
};

/** What to import, and what to write. */
export function howTo(option: string, { name, from, call }: Import): string {
  return `import { ${name} } from '${from}', and write ${option}: ${call}`;
}
