import type { Distribution } from './histogram.js';
import type { InstrumentName } from './instruments.js';

/** Values by attribute. An attribute that does not apply is absent. */
export type AttributeValues = Readonly<Record<string, string>>;

/** A number of an instrument at one combination of attributes. */
export interface NumberPoint {
  readonly attributes: AttributeValues;
  readonly value: number;
}

/** A distribution of a histogram at one combination of attributes. */
export interface HistogramPoint {
  readonly attributes: AttributeValues;
  readonly value: Distribution;
}

export type Point = NumberPoint | HistogramPoint;

/** Gets a value of a histogram when it is counted. */
export type OnValue = (name: InstrumentName, value: number, attributes: AttributeValues) => void;
