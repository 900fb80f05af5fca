import { context, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import { startTraces } from '@sluice/opentelemetry';
import type { ContestantFile, Runner, Setting } from '../contestant.js';

const SAMPLED = 0.01;

/** A contestant in an application with the SDK of OpenTelemetry: each check is a request with a span, of which 1 % are sampled. */
export async function inSpans(contestant: ContestantFile, setting: Setting): Promise<Runner> {
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(SAMPLED) });
  // Without an exporter, which would cost both the same.
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = trace.getTracer('bench');
  const runner = await contestant.open(setting);
  return {
    ...runner,
    check: (key) =>
      tracer.startActiveSpan('GET', { kind: SpanKind.SERVER }, async (span) => {
        const answer = await runner.check(key);
        span.end();
        return answer;
      }),
  };
}

/** The same, with traces of Sluice. */
export async function inSpansTraced(contestant: ContestantFile, setting: Setting): Promise<Runner> {
  const stop = startTraces();
  const runner = await inSpans(contestant, setting);
  return {
    ...runner,
    close() {
      stop();
      return runner.close?.();
    },
  };
}
