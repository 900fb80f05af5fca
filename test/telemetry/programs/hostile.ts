// Serves hostile identities with the ioredis of @opentelemetry/instrumentation-ioredis, in a process of its own, because
// the instrumentation changes the modules that Node loads. Prints what an OTLP exporter would send, with and without
// startTraces, and the digests that keys in Redis are made of.
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { metrics } from '@opentelemetry/api';
import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { patient } from '../../support/patient.js';
import { startTracing } from '../tracing.js';
import { MARK, notTexts, texts, tooLong, unwritable } from '../../security/requests/samples.js';

// It makes spans also without a request.
const instrumentation = new IORedisInstrumentation({ requireParentSpan: false });
const { createLimiter, tracksOf } = await import('@sluice/core');
const { redisStore } = await import('@sluice/redis');
const { startMetrics, startTraces } = await import('@sluice/opentelemetry');
const { Redis } = await import('ioredis');

const [port = ''] = process.argv.slice(2);
const digests = new Set<string>();
const identities: readonly unknown[] = [...texts, ...unwritable, ...tooLong, ...notTexts, '203.0.113.7', '2001:db8::7'];

interface Visitor {
  readonly identity: never;
}

async function serve(prefix: string): Promise<string> {
  const tracing = startTracing();
  instrumentation.setTracerProvider(tracing.provider);
  const client = new Redis(Number(port), { enableOfflineQueue: false, maxRetriesPerRequest: 0, lazyConnect: true });
  await client.connect();
  const stores = [redisStore({ url: `redis://127.0.0.1:${port}` }, patient), redisStore(client, patient)];
  await stores[0]!.ready();
  const limiters = stores.map((store) =>
    createLimiter<Visitor>({
      store,
      prefix,
      tiers: [
        { name: 'day', key: ({ identity }) => identity, record: () => `${MARK} was here`, limit: 3, window: '1d' },
        { name: 'hour', key: ({ identity }) => identity, label: () => MARK, limit: 3, window: '1h' },
        { name: 'leased', key: () => MARK, limit: 1e6, window: '1h', lease: { units: 50, duration: '1s' } },
      ],
    }),
  );
  const visit = async (limiter: (typeof limiters)[number], visitor: Visitor) => {
    const decision = await limiter.consume(visitor);
    for (const { digest } of tracksOf(decision)) digests.add(digest);
    await limiter.consume(visitor, { cost: 3 });
    await limiter.settle(decision, { day: 2, hour: 0 });
    await limiter.peek(visitor);
    await limiter.inspect(visitor);
    await limiter.reset(visitor);
  };
  const requests = identities.flatMap((identity) =>
    limiters.map((limiter) =>
      // An identity that is no text is an error of the application.
      tracing.request('GET /', () => visit(limiter, { identity: identity as never }).catch(() => undefined)),
    ),
  );
  await Promise.all(requests);
  // Redis answers with an error.
  await client.config('SET', 'maxmemory', '1');
  await tracing.request('GET /', () =>
    Promise.all(limiters.map((limiter) => limiter.consume({ identity: MARK as never }))),
  );
  await client.config('SET', 'maxmemory', '0');
  await Promise.all(limiters.map((limiter) => limiter.close()));
  await Promise.all(stores.map((store) => store.close()));
  client.disconnect();
  const exported = Buffer.from(JsonTraceSerializer.serializeRequest([...tracing.spans()])!).toString();
  await tracing.stop();
  return exported;
}

const without = await serve('without');
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter });
const provider = new MeterProvider({ readers: [reader] });
metrics.setGlobalMeterProvider(provider);
startTraces({ spans: 'all' });
startMetrics({ top: 10 });
const spans = await serve('traced');
await provider.shutdown();
const numbers = exporter.getMetrics().map((each) => Buffer.from(JsonMetricsSerializer.serializeRequest(each)!));
process.stdout.write(JSON.stringify({ without, spans, metrics: numbers.join('\n'), digests: [...digests] }));
