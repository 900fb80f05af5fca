import { context, SpanStatusCode, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import type { ConsumeTrace } from '@sluice/metrics';
import { decisionAttributes } from './decision-attributes.js';
import type { TraceListeners } from './listen.js';

/** The recording request of a `consume`, as it was when `consume` was called: a reply arrives in the turn of another. */
interface RecordedRequest {
  /** The span that gets the attributes. */
  readonly span: Span;
  /** The parent of spans for the request. */
  readonly context: Context;
  /** Undefined without spans of decisions. */
  readonly decide: Span | undefined;
}

/** A context object with what a listener keeps in it. A WeakMap of many young objects slows garbage collection. */
type Recorded = ConsumeTrace & Record<symbol, RecordedRequest | undefined>;

/** Describes decisions on the spans of their requests. */
export class RequestSpans implements TraceListeners<ConsumeTrace> {
  /** Of requests that are recorded. */
  readonly #requests = Symbol('the recorded request');
  /** Makes a span for each decision. */
  readonly #tracer: Tracer | undefined;

  constructor(tracer?: Tracer) {
    this.#tracer = tracer;
  }

  /** The request of a `consume`. Undefined if it is not recorded. */
  of(consume: ConsumeTrace): RecordedRequest | undefined {
    return (consume as Recorded)[this.#requests];
  }

  readonly start = (consume: ConsumeTrace): void => {
    const active = context.active();
    const span = trace.getSpan(active);
    if (!span?.isRecording()) return;
    consume.followed = true;
    const decide = this.#tracer?.startSpan('sluice decide', {}, active);
    (consume as Recorded)[this.#requests] = { span, decide, context: decide ? trace.setSpan(active, decide) : active };
  };

  /** A decision without a promise is made when `consume` returns, any other when its promise resolves. */
  readonly end = (consume: ConsumeTrace): void => {
    if (consume.decision) this.asyncEnd(consume);
  };

  readonly asyncEnd = (consume: ConsumeTrace): void => {
    const request = this.of(consume);
    if (request === undefined) return;
    const { decision, code } = consume;
    // The request may have ended, because its client has gone.
    if (decision && request.span.isRecording()) request.span.setAttributes(decisionAttributes(decision));
    if (decision === undefined) request.decide?.setStatus({ code: SpanStatusCode.ERROR });
    if (code !== undefined) request.decide?.setAttribute('error.type', code);
    request.decide?.end();
  };
}
