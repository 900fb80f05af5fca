import { instruments, prometheusName, type Instrument, type InstrumentName } from '../../packages/metrics/src/index.js';
import { measuredFeatures } from './features/features.js';

/** What an application may want to change in its dashboard and alerts. */
export interface Settings {
  /** The deadline of its Redis stores, in seconds. */
  readonly deadline: number;
  /** The part of all decisions above which an outage is reported. */
  readonly degraded: number;
  /** The part of all decisions above which denials can be a surge. */
  readonly denied: number;
  /** The part of 30 days that each process may work without its store. */
  readonly degradedTime: number;
  /** Seconds since the last complete export of usage above which it is reported: three times `every`. */
  readonly exportAge: number;
  /** Where the page of the alerts is: a path or an address, to which each alert adds its section. */
  readonly guide: string;
  /** `otlp`: names with units. `otel-js`: as the exporter for Prometheus of the JavaScript SDK writes them, without. */
  readonly names: 'otlp' | 'otel-js';
}

export const defaults: Settings = {
  deadline: 0.05,
  degraded: 0.01,
  denied: 0.05,
  degradedTime: 0.0005,
  exportAge: 3 * 3_600,
  guide: 'https://unpkg.com/@sluice/prometheus/docs/reference/alerts.md',
  names: 'otlp',
};

/** Finds the name of an instrument in Prometheus. */
export type Names = (instrument: InstrumentName) => string;

export function namesOf(settings: Pick<Settings, 'names'>): Names {
  return anyNamesOf(settings);
}

/** Also those of features. */
export function anyNamesOf({ names }: Pick<Settings, 'names'>): (instrument: string) => string {
  const all: readonly Instrument[] = [
    ...instruments,
    ...measuredFeatures.flatMap(({ measures }) => measures.instruments),
  ];
  return (name) => {
    const instrument = all.find((each) => each.name === name)!;
    return prometheusName(names === 'otlp' ? instrument : { ...instrument, unit: '' });
  };
}
