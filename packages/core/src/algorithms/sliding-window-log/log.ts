import type { LogTerms } from '../../model/inspection.js';
import type { Ruling } from '../../model/ruling.js';
import type { ClaimResult } from '../kernel.js';
import { Stamps } from './stamps.js';

/** A window over a log of stamps. A unit counts for exactly `span` ticks. */
export interface LogWindow {
  readonly limit: number;
  /** The window, in ticks. */
  readonly span: number;
}

export function emptyLog(): Stamps {
  return new Stamps([], 0, 0);
}

/** True for a log whose newest stamp is still to come. */
export function isLogAhead(stored: Stamps, now: number): boolean {
  return stored.length > 0 && stored.at(stored.length - 1) > now;
}

/** The stamps that count at `now`. */
export function readLog(stored: Stamps, now: number, { span }: LogWindow): Stamps {
  return stored.drop(expired(stored, now - span));
}

export function waitForLog(stamps: Stamps, now: number, { limit, span }: LogWindow, cost: number): number {
  if (stamps.length + cost <= limit) return 0;
  return stamps.at(stamps.length + cost - limit - 1) + span - now;
}

export function remainingInLog(stamps: Stamps, { limit }: LogWindow): number {
  return Math.max(0, limit - stamps.length);
}

export function chargeLog(stamps: Stamps, now: number, window: LogWindow, cost: number): Stamps {
  return stamps.add(now, Math.min(cost, remainingInLog(stamps, window)));
}

export function describeLog(stamps: Stamps, now: number, window: LogWindow, result: ClaimResult): Ruling {
  const { limit, span } = window;
  const { charged, retryAfter } = result;
  const remaining = remainingInLog(stamps, window);
  if (stamps.length === 0) {
    return { charged, limit, remaining, retryAfter, replenishAfter: 0, resetAfter: 0, delay: 0 };
  }
  const next = stamps.at(stamps.length - (limit - remaining)) + span - now;
  const last = stamps.at(stamps.length - 1) + span - now;
  return { charged, limit, remaining, retryAfter, replenishAfter: next, resetAfter: last, delay: 0 };
}

/** @param tick of the stamps, in microseconds like the window */
export function logTerms(stamps: Stamps, { window, tick }: { window: number; tick: number }): LogTerms {
  const oldest = stamps.length > 0 ? (stamps.at(0) * tick + window) / 1e3 : undefined;
  return { form: 'log', units: stamps.length, oldestLeavesAt: oldest };
}

/** How many stamps are at or before `edge`. Gallops from the oldest, because few stamps have usually expired. */
function expired(stamps: Stamps, edge: number): number {
  let above = 1;
  while (above <= stamps.length && stamps.at(above - 1) <= edge) above *= 2;
  let low = Math.floor(above / 2);
  let high = Math.min(above - 1, stamps.length);
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2);
    if (stamps.at(middle - 1) <= edge) low = middle;
    else high = middle - 1;
  }
  return low;
}
