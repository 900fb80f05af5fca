import { warn } from '../../events/warning.js';
import type { HttpRequest } from '../request.js';

/**
 * Whose word a framework takes for a client's address: that of every peer, of some, or of none. `ignored`: it was told
 * some, in a way that it does not heed.
 */
export type ProxyTrust = 'all' | 'some' | 'none' | 'ignored';

/** Warns of what makes the addresses of requests worth little. */
export class ProxyCheck {
  readonly #trust: (request: never) => ProxyTrust;
  #hasAsked = false;

  /** @param trust tells whose word the framework takes for the address of a request */
  constructor(trust: (request: never) => ProxyTrust) {
    this.#trust = trust;
  }

  inspect(request: HttpRequest): void {
    // Nobody changes whom an application trusts, and to ask Express at each request takes time.
    if (this.#hasAsked && forwardedBy(request) === undefined) return;
    this.#hasAsked = true;
    const trust = this.#trust(request as never);
    if (trust === 'none') warnOfUntrusted(request);
    else warnOfTrust(trust);
  }
}

/** Warns of a setting that makes limits by address worth little, which can be told before any request has come. */
export function warnOfTrust(trust: ProxyTrust): void {
  if (trust === 'all') warnOfTrustInAll();
  else if (trust === 'ignored') warnOfIgnoredTrust();
}

/** Anyone can claim any address, and so have any number of budgets. */
function warnOfTrustInAll(): void {
  warn(
    'SLUICE_TRUST_PROXY_TRUE',
    'trust proxy is true: every client can claim any address in X-Forwarded-For, and has a new budget with each. Name the proxies that you have, by address or by number',
  );
}

/** Told to trust and trusting nobody, a framework gives all clients the address of the proxy. */
function warnOfIgnoredTrust(): void {
  warn(
    'SLUICE_TRUST_PROXY_IGNORED',
    'trustProxy is a number, which Fastify has ignored since 5.12.1: all clients share the address of your proxy, and one budget. Name your proxies by address',
  );
}

/** Behind a proxy that is not trusted, all clients have its address and share one budget. */
export function warnOfUntrusted(request: HttpRequest): void {
  const seen = forwardedBy(request);
  if (seen === undefined) return;
  warn(
    'SLUICE_FORWARDED_UNTRUSTED',
    `a request came with ${seen}, and no proxy is trusted: if you have a proxy, all clients share its address and one budget. Have your framework trust it, or read the address by byIp({ from })${seen === 'forwarded' ? ', and have it send X-Forwarded-For, which frameworks read' : ''}`,
  );
}

/** The header by which a proxy has told who the client is. */
function forwardedBy({ headers }: HttpRequest): string | undefined {
  if (headers === undefined) return undefined;
  if (headers['x-forwarded-for'] !== undefined) return 'x-forwarded-for';
  return headers['forwarded'] === undefined ? undefined : 'forwarded';
}
