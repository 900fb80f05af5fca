import type { AttributeValues, Counting, Fact, Instrument, Measures, Recorder } from '@sluice/core/internal';
import { Histogram } from './histogram.js';
import type { NumberPoint, OnValue, Point } from './point.js';

/** What a feature is told of the metrics that show it. */
export type FeatureParts = Pick<Recorder, 'stores' | 'clock' | 'tierName'>;

interface Series {
  readonly attributes: AttributeValues;
  value: number | Histogram;
}

interface Recorded {
  readonly instrument: Instrument;
  /** By the values of its attributes. */
  readonly series: Map<string, Series>;
}

/** The numbers of a feature in use: the series that its measures record. */
export class FeatureMetrics implements Recorder {
  readonly stores: Recorder['stores'];
  readonly clock: Recorder['clock'];
  readonly tierName: Recorder['tierName'];
  readonly #recorded: ReadonlyMap<string, Recorded>;
  readonly #onValue: OnValue;
  readonly #measures: Measures;
  readonly #counting: Counting;

  constructor(measures: Measures, { stores, clock, tierName }: FeatureParts, onValue: OnValue) {
    this.stores = stores;
    this.clock = clock;
    this.tierName = tierName;
    this.#onValue = onValue;
    this.#recorded = new Map(
      measures.instruments.map((instrument) => [instrument.name, { instrument, series: new Map() }]),
    );
    this.#measures = measures;
    this.#counting = measures.start(this);
  }

  add(name: string, value: number, attributes: AttributeValues = {}): void {
    const { instrument, series } = this.#recorded.get(name)!;
    const known = seriesOf(instrument, series, attributes);
    if (typeof known.value === 'number') known.value += value;
    else {
      known.value.record(value);
      this.#onValue(instrument.name, value, attributes);
    }
  }

  set(name: string, value: number, attributes: AttributeValues = {}): void {
    const { instrument, series } = this.#recorded.get(name)!;
    seriesOf(instrument, series, attributes).value = value;
  }

  points(name: string): readonly Point[] {
    this.#counting.read?.();
    return [...this.#recorded.get(name)!.series.values()] as readonly Point[];
  }

  facts(): readonly Fact[] {
    return this.#measures.facts?.((name) => this.points(name) as readonly NumberPoint[]) ?? [];
  }

  stop(): void {
    this.#counting.stop();
  }
}

function seriesOf(
  { kind, buckets = [], ...instrument }: Instrument,
  all: Map<string, Series>,
  attributes: AttributeValues,
): Series {
  const values = instrument.attributes.map((name) => attributes[name] ?? '').join('\n');
  let series = all.get(values);
  if (series === undefined) {
    series = { attributes, value: kind === 'histogram' ? new Histogram(buckets) : 0 };
    all.set(values, series);
  }
  return series;
}
