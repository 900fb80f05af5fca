import { type Fact, type Instrument, type Measures, onMeasures } from '@sluice/core/internal';
import { FeatureMetrics, type FeatureParts } from './feature-metrics.js';
import type { OnValue, Point } from './point.js';

/** The instruments and the numbers of all features that this process uses, also of those that it uses later. */
export class FeaturesInUse {
  readonly #metrics = new Map<string, FeatureMetrics>();
  readonly #instruments: Instrument[] = [];
  readonly #listeners = new Set<(instrument: Instrument) => void>();
  readonly #end: () => void;

  constructor(parts: FeatureParts, onValue: OnValue = () => {}) {
    this.#end = onMeasures((measures) => this.#add(measures, new FeatureMetrics(measures, parts, onValue)));
  }

  get instruments(): readonly Instrument[] {
    return this.#instruments;
  }

  /** Undefined for an instrument of no feature in use. */
  points(name: string): readonly Point[] | undefined {
    return this.#metrics.get(name)?.points(name);
  }

  /** What a dashboard says of the features. */
  facts(): readonly Fact[] {
    return [...new Set(this.#metrics.values())].flatMap((metrics) => metrics.facts());
  }

  /** Calls back for each instrument, now or later. @returns ends that */
  onInstrument(listener: (instrument: Instrument) => void): () => void {
    for (const instrument of this.#instruments) listener(instrument);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stop(): void {
    this.#end();
    for (const metrics of new Set(this.#metrics.values())) metrics.stop();
  }

  #add({ instruments }: Measures, metrics: FeatureMetrics): void {
    for (const instrument of instruments) {
      this.#metrics.set(instrument.name, metrics);
      this.#instruments.push(instrument);
      for (const listener of this.#listeners) listener(instrument);
    }
  }
}
