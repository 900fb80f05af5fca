import type { Measures } from '../../../packages/core/src/measures/measures.js';
import type { Alert } from '../alerts.js';
import type { Panel } from '../panel.js';
import type { Settings } from '../settings.js';

/** Finds the name of an instrument of any feature in Prometheus. */
export type AnyNames = (instrument: string) => string;

/** What monitoring has of a feature that brings its instruments along. */
export interface MeasuredFeature {
  /** Of its part of the reference. */
  readonly title: string;
  /** Whose first value brings them. */
  readonly from: string;
  readonly measures: Measures;
  /** Of the row `Process`. */
  readonly panels: (name: AnyNames) => readonly Panel[];
  readonly alerts: (name: AnyNames, settings: Settings) => readonly Alert[];
}
