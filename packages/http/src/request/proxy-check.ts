import { warn } from '@sluice/core/internal';
import type { HttpRequest } from './request.js';

/**
 * The peers that a framework believes about a client's address: all, some or none. `ignored`: it has a setting that it
 * does not apply.
 */
export type ProxyTrust = 'all' | 'some' | 'none' | 'ignored';

/** Warns of proxy settings that make limits by address useless. */
export class ProxyCheck {
  readonly #trust: (request: never) => ProxyTrust;
  /** Applications do not change the setting. */
  #isOver = false;

  constructor(trust: (request: never) => ProxyTrust) {
    this.#trust = trust;
  }

  trustOf(request: HttpRequest): ProxyTrust {
    return this.#trust(request as never);
  }

  inspect(request: HttpRequest): void {
    if (this.#isOver) return;
    const trust = this.trustOf(request);
    this.#isOver = trust !== 'none';
    if (trust === 'none') warnOfUntrusted(request);
    else warnOfTrust(trust);
  }
}

/** Warns of a setting that is wrong for every request, so it can be called at the start. */
export function warnOfTrust(trust: ProxyTrust): void {
  if (trust === 'all') {
    warn(
      'SLUICE_TRUST_PROXY_TRUE',
      'rateLimit: trust proxy is true: every client can claim any address in X-Forwarded-For, and each address is a new budget. Name your proxies, by address or by number',
    );
  }
  if (trust === 'ignored') {
    warn(
      'SLUICE_TRUST_PROXY_IGNORED',
      'rateLimit: trustProxy is a number, which Fastify ignores since 5.12.1: all clients share the address and the budget of your proxy. Name your proxies by address',
    );
  }
}

/** Warns of a forwarded request if no proxy is trusted: all clients of a proxy then share its address. */
export function warnOfUntrusted(request: HttpRequest): void {
  const header = forwardingHeader(request);
  if (header === undefined) return;
  const hint =
    header === 'forwarded' ? '. The proxy must send X-Forwarded-For, because frameworks do not read Forwarded' : '';
  warn(
    'SLUICE_FORWARDED_UNTRUSTED',
    `rateLimit: a request came with ${header}, and no proxy is trusted: if you have a proxy, all clients share its address and one budget. Set trust proxy (Fastify and Hono: trustProxy), or read the address with byIp({ from })${hint}`,
  );
}

/** Warns of a request that `allow` does not free, because a proxy has sent it and not the client of this address. */
export function warnOfAllowedProxy(): void {
  warn(
    'SLUICE_ALLOW_FORWARDED',
    'rateLimit: a request of an address on allow is counted, because it came through a proxy that is not trusted: all clients of that proxy share its address. Set trust proxy (Fastify and Hono: trustProxy)',
  );
}

/** True for a request that a proxy has forwarded, or whose client says so. */
export function isForwarded(request: HttpRequest): boolean {
  return forwardingHeader(request) !== undefined;
}

function forwardingHeader({ headers }: HttpRequest): string | undefined {
  if (headers === undefined) return undefined;
  if (headers['x-forwarded-for'] !== undefined) return 'x-forwarded-for';
  return headers['forwarded'] === undefined ? undefined : 'forwarded';
}
