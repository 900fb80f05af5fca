import {
  context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { errorType, type CallTrace } from '@sluice/metrics';
import type { TraceListeners } from './listen.js';
import type { RequestSpans } from './request-spans.js';

/**
 * Instrumentations of Redis clients make no span in this context: theirs has all arguments of a script, which are keys
 * and recorded strings. The name is that of `suppressTracing` of @opentelemetry/core, so that this needs only the API.
 */
const SUPPRESSED = ROOT_CONTEXT.setValue(createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING'), true);

type Spanned = CallTrace & Record<symbol, Span | undefined>;

/** Makes a span for each call to Redis that carries a recorded request, and suppresses those of the Redis client. */
export class CallSpans implements TraceListeners<CallTrace> {
  readonly #requests: RequestSpans;
  /** Undefined: it only suppresses. */
  readonly #tracer: Tracer | undefined;
  readonly #span = Symbol('the span of the call');

  constructor(requests: RequestSpans, tracer?: Tracer) {
    this.#requests = requests;
    this.#tracer = tracer;
  }

  readonly start = (call: CallTrace): void => {
    const { send, consumes } = call;
    // V8 creates a function that is assigned to a property among old objects, and there it would keep the whole batch.
    const suppressed = () => context.with(SUPPRESSED, send);
    call.send = suppressed;
    if (this.#tracer === undefined || consumes.length === 0) return;
    const requests = consumes.flatMap((consume) => this.#requests.of(consume) ?? []);
    // A request may have several limiters.
    const bySpan = new Map(requests.map((request) => [request.span, request]));
    const [first, ...others] = bySpan.values();
    if (first === undefined) return;
    const options = { kind: SpanKind.CLIENT, attributes: callAttributes(call) };
    if (others.length === 0) {
      (call as Spanned)[this.#span] = this.#tracer.startSpan('sluice consume', options, first.context);
      return;
    }
    const links = [...bySpan.keys()].map((span) => ({ context: span.spanContext() }));
    (call as Spanned)[this.#span] = this.#tracer.startSpan('sluice consume', { ...options, links }, ROOT_CONTEXT);
  };

  readonly asyncEnd = (call: CallTrace): void => {
    const span = (call as Spanned)[this.#span];
    if (span === undefined) return;
    const { outcome, problem } = call;
    if (outcome !== 'answered') {
      span.setAttribute('error.type', outcome === 'late' ? 'timeout' : errorType(problem));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
}

/** By the semantic conventions of databases. Never the text of the command: it has keys. */
function callAttributes({ groups, primary }: CallTrace): Attributes {
  return {
    'db.system.name': 'redis',
    'db.operation.name': 'EVALSHA',
    ...(groups > 1 && { 'db.operation.batch.size': groups }),
    ...(primary !== undefined && serverAttributes(primary)),
  };
}

/** @param primary host and port */
function serverAttributes(primary: string): Attributes {
  const colon = primary.lastIndexOf(':');
  return { 'server.address': primary.slice(0, colon), 'server.port': Number(primary.slice(colon + 1)) };
}
