import { TieredLimiter } from './tiered-limiter.js';

/** True for a limiter whose requests may wait before they are decided. */
export function mayWait(limiter: object): boolean {
  return limiter instanceof TieredLimiter && limiter.mayWait();
}

/** False for a limiter whose requests never have units that come back when they end, nor wait for such units. */
export function mayHold(limiter: object): boolean {
  return !(limiter instanceof TieredLimiter) || limiter.mayHold;
}

/** True for a limiter with `mode: 'demote'` in a tier that is known at the start. */
export function mayDemote(limiter: object): boolean {
  return limiter instanceof TieredLimiter && limiter.mayDemote;
}

/** True for a limiter with `loginTiers`. */
export function isOfSignIns(limiter: object): boolean {
  return limiter instanceof TieredLimiter && limiter.isOfSignIns;
}
