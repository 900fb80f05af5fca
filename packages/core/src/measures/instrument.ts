/** What is measured, and by which attributes it is split: by the naming rules of OpenTelemetry. */
export interface Instrument {
  readonly name: `sluice.${string}`;
  readonly kind: 'counter' | 'gauge' | 'updowncounter' | 'histogram';
  /** In UCUM: `s`, `1` for a ratio, or a noun in braces. */
  readonly unit: string;
  readonly description: string;
  readonly attributes: readonly string[];
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
  /** How the numbers of several processes become one. @default `sum` */
  readonly across?: 'max';
  /** It exists only with this option. */
  readonly option?: 'top' | 'watch' | 'policies';
}

/** What a metric is split by. No value comes from a client. */
export interface AttributeDefinition {
  readonly description: string;
  /** All of its values. Absent where the application or Redis names them. */
  readonly values?: readonly string[];
}

/** Values by attribute. An attribute that does not apply is absent. */
export type AttributeValues = Readonly<Record<string, string>>;
