import type { Limiter } from './limiter.js';
import type { TieredLimiter } from './tiered-limiter.js';

/** What a limiter of this suite knows. One of another copy of the package, which `instanceof` would miss, knows it too. */
type Facts = Partial<
  Pick<TieredLimiter<never>, 'mayWait' | 'mayHold' | 'mayBring' | 'mayDemote' | 'isSignInLimiter' | 'digester'>
>;

/** Decides requests, without a promise where the answer is known. */
export type Decider<S> = Pick<TieredLimiter<S>, 'decide'>;

/** The limiter itself. One of an application has no more than `consume`. */
export function deciderOf<S>(limiter: Limiter<S>): Decider<S> {
  const known = limiter as Limiter<S> & Partial<Decider<S>>;
  return known.decide === undefined
    ? { decide: (subject, options) => limiter.consume(subject, options) }
    : (known as Decider<S>);
}

/** True for a limiter whose requests may wait before they are decided. */
export function mayWait(limiter: object): boolean {
  return (limiter as Facts).mayWait?.() === true;
}

/** False for a limiter whose requests never have units that come back when they end, nor wait for such units. */
export function mayHold(limiter: object): boolean {
  return (limiter as Facts).mayHold !== false;
}

/** False for a limiter that takes nothing of what its denials have given. */
export function mayBring(limiter: object): boolean {
  return (limiter as Facts).mayBring !== false;
}

/** True for a limiter with `mode: 'demote'` in a tier that is known at the start. */
export function mayDemote(limiter: object): boolean {
  return (limiter as Facts).mayDemote === true;
}

/** True for a limiter with `loginTiers`. */
export function isSignInLimiter(limiter: object): boolean {
  return (limiter as Facts).isSignInLimiter === true;
}

/** Makes digests with the `secret` of a limiter. It is undefined for a limiter without a secret. */
export function digesterOf(limiter: object): ((text: string) => string) | undefined {
  return (limiter as Facts).digester?.();
}
