// measures/ has what features measure: metrics expose the instruments of what a program uses, and know no feature. The
// measures of a feature enter with its first value. It imports model and stores.
import { processWide } from '../model/process-wide.js';
import type { Store } from '../stores/store.js';

/** Where the numbers of a feature go. */
export interface Recorder {
  /** Those of which metrics were asked for, by the names that they get in metrics. */
  readonly stores: readonly (readonly [name: string, store: Store])[];
  /** Monotonic milliseconds. */
  clock(): number;
  /** The name of a tier in metrics, where the number of names is bounded. */
  tierName(tier: string): string;
  /** Adds to a counter, or counts a value of a histogram. A series that begins with 0 misses no event in `increase()`. */
  add(instrument: string, value: number, attributes?: AttributeValues): void;
  /** Sets a gauge. */
  set(instrument: string, value: number, attributes?: AttributeValues): void;
}

/** What counts until it is stopped. */
export interface Counting {
  /** Called before numbers are read: for what no event tells. */
  read?(): void;
  stop(): void;
}

/** A line of a dashboard: `Overload: level 120 of 200`. */
export interface Fact {
  readonly name: string;
  readonly text: string;
  readonly detail?: string;
}

/** The numbers of an instrument now. */
export type Numbers = (
  instrument: string,
) => readonly { readonly attributes: AttributeValues; readonly value: number }[];

/** What a feature measures. */
export interface Measures {
  /** Of the feature: two copies of its package measure once. */
  readonly name: string;
  readonly instruments: readonly Instrument[];
  /** Those that no other instrument has. */
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
  /** Begins to count its events. */
  start(recorder: Recorder): Counting;
  /** What a dashboard says of it. @default nothing */
  facts?(numbers: Numbers): readonly Fact[];
}

/** The measures of the features in use, and who shows them. */
interface Shown {
  readonly measures: Map<string, Measures>;
  readonly listeners: Set<(measures: Measures) => void>;
}

const shown = () => processWide('measures', (): Shown => ({ measures: new Map(), listeners: new Set() }));

/** Shows what a feature measures in all metrics of this process. A function that makes its values calls this. */
export function measure(measures: Measures): void {
  const { measures: known, listeners } = shown();
  if (known.has(measures.name)) return;
  known.set(measures.name, measures);
  for (const listener of listeners) listener(measures);
}

/** Calls back for the measures of each feature in use, and of each that comes into use later. @returns ends that */
export function onMeasures(listener: (measures: Measures) => void): () => void {
  const { measures, listeners } = shown();
  for (const each of measures.values()) listener(each);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

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
