import { TieredDecision, warn } from '@sluice/core/internal';
import type { HttpRequest } from '../request/request.js';
import type { ProxyCheck } from '../request/proxy-check.js';
import type { AddressWatch, DecidedVisit, Visit } from '../visits/visit.js';

/** Requests that are inspected after the start of a gate. */
export const INSPECTED_FIRST = 100;
/** Later, one request of so many is inspected: some proxies forward a part of the requests. */
export const INSPECTED_LATER = 64;

/** Looks for mistakes of an application in requests of its gate: the first, and a sample of the others. */
export class Mistakes implements AddressWatch {
  readonly #proxyCheck: ProxyCheck | undefined;
  readonly #sheds: boolean;

  constructor(proxyCheck: ProxyCheck | undefined, sheds: boolean) {
    this.#proxyCheck = proxyCheck;
    this.#sheds = sheds;
  }

  inspectAddress(request: HttpRequest): void {
    this.#proxyCheck?.inspect(request);
  }

  inspectDecision(visit: DecidedVisit): void {
    if (!this.#sheds && visit.decision.demotedBy !== undefined) warnOfDemotion();
    if (TieredDecision.hasMadeUpCallers(visit.decision)) warnOfMadeUpCallers();
    this.#inspectKeys(visit);
  }

  #inspectKeys(visit: DecidedVisit): void {
    if (!TieredDecision.isBoundedBy(visit.decision, 'presented')) return;
    for (let each: DecidedVisit | undefined = visit; each !== undefined; each = each.earlier) {
      if (TieredDecision.isBoundedBy(each.decision, 'address')) return;
    }
    warn(
      'SLUICE_UNBOUNDED_API_KEYS',
      'byApiKey: presented keys are counted before anything has verified them, and no tier counts addresses: a client that makes up a key gets a new budget. Add a tier with byIp(), or a limiter with byIp() before this one',
    );
  }
}

/** A limit of rates by address leaves a client all the shares: it makes up a caller with each request. */
function warnOfMadeUpCallers(): void {
  warn(
    'SLUICE_UNBOUNDED_API_KEYS',
    'byApiKey: callers share a limit by keys that nothing has verified: a client that makes up a key gets another share. Write fair: fairBy(byApiKey({ from })) with an account that your code has verified, or add a tier with byIp() that limits requests in flight',
    'fair',
  );
}

/** Warns of a tier that demotes requests at a gate that refuses none of them. */
export function warnOfDemotion(): void {
  warn(
    'SLUICE_DEMOTION_WITHOUT_SHEDDER',
    "rateLimit: a tier has mode: 'demote', and the gate has no shed: the tier denies no request. Write shed: shedder({ … }) of @sluice/overload, or mode: 'shadow'",
  );
}

/** Warns of a limiter that has counted a request at an earlier gate too. */
export function warnOfCountingTwice({ gate, earlier }: Visit): void {
  for (let each = earlier; each !== undefined; each = each.earlier) {
    if (each.gate.limiter !== gate.limiter) continue;
    warn(
      'SLUICE_COUNTED_TWICE',
      'rateLimit: one limiter ran twice for the same request, so clients get half their limit. Is it mounted both on the app and on a router?',
    );
  }
}
