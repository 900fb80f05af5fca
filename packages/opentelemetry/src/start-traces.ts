import { trace } from '@opentelemetry/api';
import { type OptionRows, readOptions } from '@sluice/http/adapter';
import { CallSpans } from './call-spans.js';
import { listen } from './listen.js';
import { RequestSpans } from './request-spans.js';

export interface TracesOptions {
  /**
   * `'calls'` makes a span for each call to Redis that carries a recorded request, `'all'` also one for each decision,
   * `'none'` neither: requests have attributes in any case.
   *
   * @default 'calls'
   */
  spans?: 'calls' | 'none' | 'all';
}

export const TRACES_ROWS = {
  spans: { oneOf: ['calls', 'none', 'all'], otherwise: 'calls' },
} as const satisfies OptionRows;

/**
 * Describes decisions as attributes of the span that is active when `consume` is called, and calls to Redis as spans with
 * links to the requests that they carry. Spans of Redis clients for these calls are suppressed, because they contain keys.
 * Uses the global tracer provider.
 *
 * @throws ConfigError
 * @example
 * const stop = startTraces();
 *
 * @returns ends it
 */
export function startTraces(options: TracesOptions = {}): () => void {
  const { spans } = readOptions('startTraces', options, TRACES_ROWS);
  const tracer = trace.getTracer('@sluice/opentelemetry');
  const requests = new RequestSpans(spans === 'all' ? tracer : undefined);
  const calls = new CallSpans(requests, spans === 'none' ? undefined : tracer);
  const ends = [listen('sluice:consume', requests), listen('sluice:call', calls)];
  return () => void ends.map((end) => end());
}
