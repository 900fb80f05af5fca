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

/**
 * The options of any tier whose values a program imports, and which no other file of this package names. The policy of a tier is
 * changed by them in this order.
 */
export const TIER_VALUES = {
  /**
   * Tells each denied request a moment of its own, so that workers that share a key are served one after the other: the end
   * of a line that moves at the pace of the limit. It changes nothing that is admitted. `line()` of `@sluice/overload/line`.
   * At most one tier of a limiter has a line.
   *
   * @default all denied requests are told the same moment
   * @example line: line({ longest: '5m', by: ({ worker }) => worker })
   */
  line: {
    feature: 'line',
    name: 'line',
    from: '@sluice/overload/line',
    call: "line({ longest: '5m', by: ({ worker }) => worker })",
  },
  /**
   * Counts the units that the tier charges by hours, in the same atomic charge: `usageOf` reads them, and `exportUsage`
   * exports them. Refunds and settlements correct the hour of the charge. A store keeps 62 days, whatever becomes of the limit.
   * `usage()` of `@sluice/quotas`. Not with `lease`.
   *
   * @default none
   * @example usage: usage()
   */
  usage: { feature: 'usage', name: 'usage', from: '@sluice/quotas', call: 'usage()' },
} as const satisfies Readonly<Record<string, Import>>;

export type TierValueName = keyof typeof TIER_VALUES;

/** What to import, and what to write. */
export function howTo(option: string, { name, from, call }: Import): string {
  return `import { ${name} } from '${from}', and write ${option}: ${call}`;
}
