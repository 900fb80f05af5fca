import {
  createNoopMeter,
  metrics,
  type Histogram,
  type Meter,
  type Observable,
  type ObservableResult,
} from '@opentelemetry/api';
import { warn } from '@sluice/http/adapter';
import { collectMetrics, type Instrument, type MetricsOptions, type NumberPoint } from '@sluice/metrics';

/**
 * Reports metrics of all limiters of this process by the global meter provider. Start the SDK before: until then, the
 * API loses metrics.
 *
 * @param options `stores` by name: their tiers, keys and breakers have metrics
 * @throws ConfigError
 * @example
 * const stop = startMetrics({ stores: { main: store } });
 *
 * @returns ends it
 */
export function startMetrics(options: MetricsOptions = {}): () => void {
  const meter = metrics.getMeter('@sluice/opentelemetry');
  if (meter === createNoopMeter()) {
    warn('SLUICE_NO_METER_PROVIDER', 'startMetrics: OpenTelemetry has no meter provider: start its SDK before');
  }
  const histograms = new Map<string, Histogram>();
  const ends: (() => void)[] = [];
  const collected = collectMetrics(options, (name, value, attributes) =>
    histograms.get(name)!.record(value, attributes),
  );
  const end = collected.onInstrument((instrument) => {
    if (instrument.kind === 'histogram') {
      histograms.set(instrument.name, histogramOf(meter, instrument));
      return;
    }
    const observable = observableOf(meter, instrument);
    const observe = async (result: ObservableResult): Promise<void> => {
      const points = (await collected.points(instrument.name)) as readonly NumberPoint[];
      for (const { attributes, value } of points) result.observe(value, attributes);
    };
    observable.addCallback(observe);
    ends.push(() => observable.removeCallback(observe));
  });
  return () => {
    end();
    for (const each of ends) each();
    collected.stop();
  };
}

function histogramOf(meter: Meter, { name, unit, description, buckets = [] }: Instrument): Histogram {
  return meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...buckets] } });
}

function observableOf(meter: Meter, { name, kind, unit, description }: Instrument): Observable {
  switch (kind) {
    case 'counter':
      return meter.createObservableCounter(name, { unit, description });
    case 'updowncounter':
      return meter.createObservableUpDownCounter(name, { unit, description });
    default:
      return meter.createObservableGauge(name, { unit, description });
  }
}
