import type { AttributeValues, Instrument } from '@sluice/core/internal';
import type { Distribution } from './histogram.js';

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
export type OnValue = (name: Instrument['name'], value: number, attributes: AttributeValues) => void;
