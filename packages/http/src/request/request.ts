// request/ reads what all frameworks have: headers, peer address, trusted proxies, route, the end of a response.
// Requests and responses of any framework enter. It imports networks, for trusted proxies.

/**
 * The members of a request that gates and identities read. Requests of Node, Express and Fastify have them, so one
 * definition of tiers works with every adapter. For `limiter.reset`, `{ ip: '203.0.113.7' }` is enough.
 */
export interface HttpRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  /** The client's address as the framework reports it, depending on the proxies that it trusts. */
  readonly ip?: string | undefined;
  /** The connection, for requests that no framework has seen, such as an upgrade to WebSocket. */
  readonly socket?: HttpSocket | undefined;
  /** The other end of the connection, where `socket` does not tell it: its address, or `unix`. */
  readonly peer?: string | undefined;
  readonly query?: unknown;
  /** The claims of a verified token, from express-jwt and others. */
  readonly auth?: unknown;
  /** The authenticated caller, from passport, @fastify/jwt and others. */
  readonly user?: unknown;
  readonly session?: unknown;
  readonly sessionID?: unknown;
}

/** The members of a connection that gates and identities read. */
export interface HttpSocket {
  readonly remoteAddress?: string | undefined;
  readonly destroyed?: boolean;
  once?(event: 'close', listener: () => void): unknown;
}

/** The value of a header. Repeated headers are joined by commas, as in Node. */
export function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value: unknown = headers && Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : undefined;
}

/** True for a CORS preflight, with which a browser asks for permission. A request with a body is never one. */
export function isPreflight(request: HttpRequest): boolean {
  return (
    request.method === 'OPTIONS' &&
    headerOf(request, 'origin') !== undefined &&
    headerOf(request, 'access-control-request-method') !== undefined &&
    !hasBody(request)
  );
}

/** The members of a request that tell a body, of Node's and of web-standard ones. */
interface BodyRequest extends HttpRequest {
  readonly raw?: object | undefined;
  readonly request?: { readonly body?: unknown };
}

function hasBody(request: BodyRequest): boolean {
  // Over HTTP/2 a body needs no header: the stream says whether it ended with the headers.
  const { stream } = (request.raw ?? request) as { readonly stream?: { readonly endAfterHeaders?: boolean } };
  if (stream?.endAfterHeaders === false) return true;
  if ((headerOf(request, 'content-length') ?? '0') !== '0') return true;
  if (headerOf(request, 'transfer-encoding') !== undefined) return true;
  // Over HTTP/2 nothing else tells. Bridges of Node give every OPTIONS a body, and Node's own request knows better.
  const { body = null } = request.raw ? {} : (request.request ?? {});
  return body !== null;
}
