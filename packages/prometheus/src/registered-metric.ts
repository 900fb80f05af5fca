import {
  prometheusLabel,
  prometheusName,
  type AttributeValues,
  type Distribution,
  type Instrument,
  type Metrics,
  type Point,
} from '@sluice/metrics';

type Labels = Record<string, string | number>;

interface Sample {
  readonly value: number;
  labels: Labels;
  /** Of a histogram, whose samples have names of their own. */
  readonly metricName?: string;
}

interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: 'sum' | 'max';
  readonly values: Sample[];
}

/** An instrument with the members that a registry of prom-client calls. */
export class RegisteredMetric {
  /** A registry in OpenMetrics mode removes `_total` here, and adds it again to what `get` returns. */
  name: string;
  readonly help: string;
  readonly type: MetricSnapshot['type'];
  /** How a registry of Node's `cluster` combines processes. */
  readonly aggregator: MetricSnapshot['aggregator'];
  readonly #instrument: Instrument;
  readonly #metrics: Metrics;

  constructor(instrument: Instrument, metrics: Metrics) {
    const { kind, description, across = 'sum' } = instrument;
    this.name = prometheusName(instrument);
    this.help = description;
    this.type = kind === 'updowncounter' ? 'gauge' : kind;
    this.aggregator = across;
    this.#instrument = instrument;
    this.#metrics = metrics;
  }

  async get(): Promise<MetricSnapshot> {
    const { name, help, type, aggregator } = this;
    const points = await this.#metrics.points(this.#instrument.name);
    return { name, help, type, aggregator, values: points.flatMap((point) => this.#samples(point)) };
  }

  /** Does nothing: another reader may need the numbers, and a counter that goes back looks like a restart. */
  reset(): void {}

  #samples({ attributes, value }: Point): Sample[] {
    const labels = labelsOf(attributes);
    return typeof value === 'number' ? [{ value, labels }] : this.#histogram(value, labels);
  }

  /** A bucket of Prometheus also counts the values of the smaller ones. */
  #histogram({ counts, sum }: Distribution, labels: Labels): Sample[] {
    const { buckets = [] } = this.#instrument;
    let count = 0;
    const samples = counts.map((each, index): Sample => {
      count += each;
      const le = buckets[index] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, value: count, labels: { ...labels, le } };
    });
    return [
      ...samples,
      { metricName: `${this.name}_sum`, value: sum, labels: { ...labels } },
      { metricName: `${this.name}_count`, value: count, labels: { ...labels } },
    ];
  }
}

function labelsOf(attributes: AttributeValues): Labels {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [prometheusLabel(name), value]));
}
