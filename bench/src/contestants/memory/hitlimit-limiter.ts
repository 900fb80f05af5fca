import { createHitLimit } from '@joint-ops/hitlimit/node';
import type { Runner, Setting } from '../contestant.js';

const NO_HEADERS = { standard: false, legacy: false, retryAfter: false };

/** Its limiter without a framework, by the address of a socket: with a key function it would wait for promises. */
export function open({ limit, window }: Setting): Runner {
  const limiter = createHitLimit({ limit, window, headers: NO_HEADERS });
  return {
    check: (key) => limiter.check({ socket: { remoteAddress: key } } as never),
    admitted: ({ allowed }: { readonly allowed: boolean }) => allowed,
  };
}
