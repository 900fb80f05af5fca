import { trustProxy, UsageError, type ClientAddress } from '@sluice/http';
import { isPromise, show } from '@sluice/http/adapter';
import type { Context } from 'hono';

/** How a limit finds the address of a client. */
export interface AddressOptions {
  /**
   * Addresses and networks of your proxies, or `loopback`, `linklocal`, `uniquelocal`: `X-Forwarded-For` counts as far as
   * they have written it.
   *
   * @default none: the peer of the connection is the client
   */
  trustProxy?: readonly string[];
  /**
   * Reads the address from elsewhere, such as a header that your platform sets and that clients cannot set. Excludes
   * `trustProxy`.
   *
   * @default the peer of the connection, on Node, Bun and Deno
   * @example ip: (c) => c.req.header('cf-connecting-ip')
   */
  ip?: (c: Context) => string | null | undefined;
}

/** Returns the address of a client, or undefined where nothing tells it. */
export type ReadAddress = (c: Context) => string | undefined;

/** What the servers that run Hono pass with each request. */
interface Bindings {
  /** Of @hono/node-server. */
  readonly incoming?: NodeRequest;
  readonly outgoing?: NodeResponse;
  /** Of Bun. */
  readonly requestIP?: (request: Request) => { readonly address: string } | null;
  /** Of Deno. */
  readonly remoteAddr?: { readonly hostname?: string };
}

/** The members of Node's requests that are used here. */
export interface NodeRequest {
  readonly socket?: NodeSocket;
}

interface NodeSocket {
  readonly remoteAddress?: string | undefined;
  readonly destroyed?: boolean;
  once?(event: 'close', listener: () => void): unknown;
}

/** The members of Node's responses that are used here. */
export interface NodeResponse {
  readonly statusCode: number;
  readonly destroyed?: boolean;
  readonly stream?: NodeSocket;
  once(event: 'close' | 'finish', listener: () => void): unknown;
}

/** What the server below has passed. Some adapters of servers pass it in a member `server`. */
export function bindingsOf(c: Context): Bindings {
  const env = Object(c.env) as Bindings & { readonly server?: Bindings };
  return env.server ?? env;
}

/** @throws ConfigError OPTION_INVALID */
export function addressReader({ ip, trustProxy: proxies }: AddressOptions): ReadAddress {
  if (ip) return (c) => checkedAddress(ip(c));
  if (proxies === undefined) return peerOf;
  const addressOf: ClientAddress = trustProxy(proxies);
  return (c) => addressOf(peerOf(c), c.req.header('x-forwarded-for'));
}

/** @throws UsageError for any other value: a request whose address is a promise would pass every list */
function checkedAddress(address: unknown): string | undefined {
  if (typeof address === 'string') return address;
  // A header that is missing is null.
  if (address === undefined || address === null) return undefined;
  // The UsageError reports the mistake. A rejection that nothing handles would end the process.
  if (isPromise(address)) void Promise.resolve(address).catch(() => undefined);
  // A number can be an address too, and messages contain none.
  const kind = typeof address === 'object' ? show(address) : `a ${typeof address}`;
  const rule = `must return a string or undefined, got ${isPromise(address) ? 'a promise' : kind}`;
  throw new UsageError('FUNCTION_FAILED', `rateLimit: the function ip ${rule}`);
}

/** The address at the other end of the connection. */
export function peerOf(c: Context): string | undefined {
  const bindings = bindingsOf(c);
  const { incoming, remoteAddr } = bindings;
  if (incoming) return incoming.socket?.remoteAddress;
  if (typeof bindings.requestIP === 'function') return bindings.requestIP(c.req.raw)?.address;
  return remoteAddr?.hostname;
}
