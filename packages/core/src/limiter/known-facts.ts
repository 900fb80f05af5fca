import type { Limiter } from './limiter.js';
import type { LimiterFacts } from './plan-book.js';
import type { TieredLimiter } from './tiered-limiter.js';

/** A limiter of this suite. One of another copy of the package, which `instanceof` would miss, knows its facts too. */
type KnownLimiter = Partial<Pick<TieredLimiter<never>, 'facts' | 'digester'>>;

/** Decides requests, without a promise where the answer is known. */
export type Decider<S> = Pick<TieredLimiter<S>, 'decide'>;

/** The limiter itself. One of an application has no more than `consume`. */
export function deciderOf<S>(limiter: Limiter<S>): Decider<S> {
  const known = limiter as Limiter<S> & Partial<Decider<S>>;
  return known.decide === undefined
    ? { decide: (subject, options) => limiter.consume(subject, options) }
    : (known as Decider<S>);
}

/** False for a limiter whose requests never have units that come back when they end, nor wait for such units. */
export function mayHold(limiter: object): boolean {
  return factsOf(limiter).mayHold !== false;
}

/** Makes digests with the `secret` of a limiter. It is undefined for a limiter without a secret. */
export function digesterOf(limiter: object): ((text: string) => string) | undefined {
  return (limiter as KnownLimiter).digester?.();
}

/** What is known of the requests of a limiter. One of an application says nothing. */
export function factsOf(limiter: object): Partial<LimiterFacts> {
  return (limiter as KnownLimiter).facts ?? {};
}
