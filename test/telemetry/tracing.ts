import { context, SpanKind, trace, type Span } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type Sampler,
} from '@opentelemetry/sdk-trace-base';

/** The SDK of an application, with the spans that have ended. */
export interface Tracing {
  readonly provider: BasicTracerProvider;
  readonly spans: () => readonly ReadableSpan[];
  /** The spans of calls to Redis, in the order in which they were sent. */
  readonly calls: () => readonly ReadableSpan[];
  /** Runs a function as a request: in a span of its server. */
  request<T>(name: string, handle: (span: Span) => Promise<T> | T): Promise<T>;
  stop(): Promise<void>;
}

export function startTracing(sampler?: Sampler): Tracing {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const provider = new BasicTracerProvider({ spanProcessors, ...(sampler && { sampler }) });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = trace.getTracer('server');
  return {
    provider,
    spans: () => exporter.getFinishedSpans(),
    calls: () =>
      exporter
        .getFinishedSpans()
        .filter(({ name }) => name === 'sluice consume')
        .toSorted((one, other) => Number(startOf(one) - startOf(other))),
    request: (name, handle) =>
      tracer.startActiveSpan(name, { kind: SpanKind.SERVER }, async (span) => {
        try {
          return await handle(span);
        } finally {
          span.end();
        }
      }),
    async stop() {
      trace.disable();
      context.disable();
      await provider.shutdown();
    },
  };
}

function startOf({ startTime: [seconds, nanoseconds] }: ReadableSpan): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
}
