/** Names the error in every copy of this package. */
const CODE = 'SLUICE_OVERLOADED';

/**
 * An acquisition was refused, because its queue is overloaded. Error handlers of Express, Fastify, Hono and Koa answer it with 503
 * and `Retry-After`.
 */
export class OverloadError extends Error {
  override name = 'OverloadError';
  readonly code = CODE;
  readonly status = 503;
  readonly statusCode = 503;
  /** Whole seconds from 1 to 5, at random: clients that are refused together must not return together. */
  readonly headers: Readonly<Record<'Retry-After', string>>;

  constructor(
    /** The name of the queue. */
    readonly queue: string,
  ) {
    const { stackTraceLimit } = Error;
    // A stack takes longer than the refusal, and leads to no mistake.
    Error.stackTraceLimit = 0;
    super(`The queue ${JSON.stringify(queue)} is overloaded`);
    Error.stackTraceLimit = stackTraceLimit;
    this.headers = { 'Retry-After': String(1 + Math.floor(Math.random() * 5)) };
  }

  /** Hono asks an error for its response. */
  getResponse(): Response {
    return new Response('Service Unavailable', { status: this.status, headers: this.headers });
  }
}

/** True for an error of any copy of this package. */
export function isOverloadError(error: unknown): error is OverloadError {
  return (Object(error) as Partial<OverloadError>).code === CODE;
}
