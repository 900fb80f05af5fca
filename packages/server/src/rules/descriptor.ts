/** A descriptor of Envoy: what is known of a request, as names and values. */
export interface Descriptor {
  readonly entries: readonly DescriptorEntry[];
  /** Units in the place of those of the request. Undefined without such. */
  readonly hits: number | undefined;
  /** A limit in the place of that of the tier. */
  readonly limit: DescriptorLimit | undefined;
}

export interface DescriptorEntry {
  readonly key: string;
  readonly value: string;
}

export interface DescriptorLimit {
  readonly requestsPerUnit: number;
  /** As Envoy numbers them: `UNITS`. */
  readonly unit: number;
}

/** The length of each unit of time in microseconds, by the number that Envoy gives it in answers. */
export const UNITS: ReadonlyMap<number, { readonly name: string; readonly length: number }> = new Map([
  [1, { name: 'SECOND', length: 1e6 }],
  [2, { name: 'MINUTE', length: 6e7 }],
  [3, { name: 'HOUR', length: 3.6e9 }],
  [4, { name: 'DAY', length: 8.64e10 }],
  [7, { name: 'WEEK', length: 6.048e11 }],
]);

/** Units whose length depends on the calendar. */
export const PERIODS: ReadonlyMap<number, string> = new Map([
  [5, 'month'],
  [6, 'year'],
]);

/** A descriptor in words, without its values, which may identify a client. */
export function descriptorText({ entries }: Pick<Descriptor, 'entries'>): string {
  return `(${entries.map(({ key }) => key).join(', ')})`;
}
