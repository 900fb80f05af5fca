import { createGate, UsageError, type Decision, type Denial, type Limiter } from '@sluice/http';
import {
  CLIENT_HAS_LEFT,
  FUNCTION,
  holdWhile,
  kindOf,
  mayHold,
  OptionReader,
  type GatedLimiterOptions,
} from '@sluice/http/adapter';
import type { Context, MiddlewareHandler, Next } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';

import { addressReader, type AddressOptions } from './client-address.js';
import { subjectOf, type HonoSubject } from './hono-subject.js';

declare module 'hono' {
  interface ContextVariableMap {
    /** The last decision about this request. */
    rateLimit: Decision | undefined;
  }
}

/** Answers a denied request like a handler. Status and headers are set before. */
export type OnDenied = (c: Context, next: Next) => Response | Promise<Response>;

/** The options of a limiter and of its gate together, or `{ limiter, ... }` with a shared limiter; and where addresses are. */
export type RateLimitOptions = GatedLimiterOptions<HonoSubject, OnDenied> & AddressOptions;

/** Rate-limiting middleware. It fits any route, and does not change the types of the handlers behind it. */
export interface RateLimitHandler extends MiddlewareHandler {
  /** The limiter of the middleware: to settle, refund, reset and inspect. */
  readonly limiter: Limiter<HonoSubject>;
  /** The decision of this middleware about a request. */
  decision(c: Context): Decision | undefined;
  /** The request as functions of tiers read it, for methods of a limiter: `limiter.peek(limit.subject(c))`. */
  readonly subject: (c: Context) => HonoSubject;
}

/**
 * Creates middleware that limits requests, for an app or a route. A denied request gets 429, 422, 503 or 403 with headers and
 * problem details. The decision is in `c.get('rateLimit')`.
 *
 * @throws ConfigError that names the option, the rule and the value
 * @example app.use(rateLimit({ limit: 100, window: '1m' }));
 */
export function rateLimit(options: RateLimitOptions): RateLimitHandler {
  const { address, gateOptions } = readOptions(options);
  const readAddress = addressReader(address);
  const trust = address.ip || address.trustProxy?.length ? ('some' as const) : ('none' as const);
  const gate = createGate<HonoSubject, OnDenied>(gateOptions, { trust: () => trust });

  const deny = async (c: Context, next: Next, subject: HonoSubject, denial: Denial): Promise<Response> => {
    // Here and not on the response, because Hono merges them into any, also into that of an error.
    subject.responseHeaders.applyTo(c.res.headers);
    if (!gate.onDenied) return problemResponse(c, denial);
    c.status(denial.problem.status);
    const answered: unknown = await gate.onDenied(c, next);
    // A handler that calls `next` leaves its response in the context.
    if (c.finalized || typeof (answered as Response | undefined)?.status === 'number') return answered as Response;
    throw new UsageError(
      'FUNCTION_FAILED',
      `rateLimit: onDenied must return a Response: write (c) => c.json({ … }), got ${kindOf(answered)}`,
    );
  };
  const holds = mayHold(gate.limiter);
  const handler: MiddlewareHandler = async function limitRequest(c, next) {
    const subject = subjectOf(c, readAddress);
    const admission = await gate.admit(subject, subject.response);
    if (admission.state === 'ended') return c.newResponse(null, CLIENT_HAS_LEFT as StatusCode);
    if (admission.decision) c.set('rateLimit', admission.decision);
    if (admission.state === 'denied') return deny(c, next, subject, admission);
    try {
      await (holds ? holdWhile(subject, next) : next());
    } catch (error) {
      subject.fail();
      throw error;
    }
    subject.complete();
    return undefined;
  };
  return Object.assign(handler, {
    limiter: gate.limiter,
    decision: (c: Context) => gate.decision(subjectOf(c, readAddress)),
    subject: (c: Context) => subjectOf(c, readAddress),
  });
}

/** Separates where addresses are from the options of the gate, which checks the others. @throws ConfigError */
function readOptions(options: RateLimitOptions) {
  // Any other value than an object is an error of the gate.
  if (typeof options !== 'object' || options === null) return { address: {}, gateOptions: options };
  const reader = new OptionReader('rateLimit', options, Object.keys(options));
  reader.one('ip', FUNCTION);
  reader.check([{ option: 'ip', beside: 'trustProxy', rule: 'cannot be combined with trustProxy: write one of them' }]);
  if (!('ip' in options || 'trustProxy' in options)) return { address: {}, gateOptions: options };
  const { ip, trustProxy, ...gateOptions } = options;
  const address: AddressOptions = { ...(ip && { ip }), ...(trustProxy !== undefined && { trustProxy }) };
  return { address, gateOptions: gateOptions as GatedLimiterOptions<HonoSubject, OnDenied> };
}

async function problemResponse(c: Context, { problem, body }: Denial): Promise<Response> {
  const { contentType, text } = await body();
  return c.body(text, problem.status, { 'Content-Type': `${contentType}; charset=utf-8` });
}
