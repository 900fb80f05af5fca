import {
  type Answer,
  chain,
  type ClaimSet,
  isAdmitted,
  isPromise,
  type MaybePromise,
  type Outcome,
  type Override,
  type Peek,
  type Policy,
} from '@sluice/core/internal';
import { overrideIn, type Fits, type InForce, type TierOverride } from './in-force.js';

/** So long another process may change what a client that is denied again and again does not ask for. */
const REMEMBERED_MS = 1_000;

/** What the last denial of an identity has found. */
interface RememberedFit {
  /** The limit of a tier, and with it the time of its requests, may differ from request to request. */
  readonly policy: Policy;
  readonly cost: number;
  readonly fitsAt: number;
  /** By the monotonic clock. */
  readonly askedAt: number;
}

const remembered = new WeakMap<Override, RememberedFit>();

/**
 * When a denied request fits, where an override ends before: the limit of its tier then decides, and may deny. That may also be a
 * tier that admits by its override, while another tier denies. Undefined where no override ends before, which is the usual case.
 */
export function fitTimes(outcomes: readonly Outcome[], inForce: InForce, peek: Peek): MaybePromise<Fits | undefined> {
  const now = Date.now();
  const ending: TierOverride[] = [];
  let fitsAt = 0;
  for (const { allowed, shadow, tier, retryAfter, hint } of outcomes) {
    if (allowed) continue;
    const found = overrideIn(inForce, tier);
    if (found !== undefined && endsBy(now + retryAfter, found)) ending.push(found);
    // A wait for permits is a guess.
    else if (!shadow && hint !== true) fitsAt = Math.max(fitsAt, now + retryAfter);
  }
  const isWaiting = fitsAt > 0 && inForce.overrides.some((each) => endsBy(fitsAt, each));
  return ending.length > 0 || isWaiting ? new FitSearch(inForce, peek, fitsAt).of(ending) : undefined;
}

/** False for one without an end, also at no time at all. */
function endsBy(time: number, { override: { until } }: TierOverride): boolean {
  return until !== undefined && until <= time;
}

/** Asks when the limits of tiers admit after their overrides. */
class FitSearch {
  readonly #inForce: InForce;
  readonly #peek: Peek;
  readonly #tiers = new Map<TierOverride, number>();
  readonly #asked = new Set<TierOverride>();
  #fitsAt: number;

  constructor(inForce: InForce, peek: Peek, fitsAt: number) {
    this.#inForce = inForce;
    this.#peek = peek;
    this.#fitsAt = fitsAt;
  }

  /** @param ending overrides that deny until they end */
  of(ending: readonly TierOverride[]): MaybePromise<Fits> {
    return chain(this.#ask(ending, true), () => this.#others());
  }

  /** Overrides that end while the request waits: each of their tiers may make it wait for another end. */
  #others(): MaybePromise<Fits> {
    if (this.#fitsAt === Infinity) return { tiers: this.#tiers, fitsAt: Infinity };
    const others = this.#inForce.overrides.filter((each) => !this.#asked.has(each) && endsBy(this.#fitsAt, each));
    if (others.length === 0) return { tiers: this.#tiers, fitsAt: this.#fitsAt };
    return chain(this.#ask(others, false), () => this.#others());
  }

  #ask(overrides: readonly TierOverride[], isDenied: boolean): MaybePromise<unknown> {
    const asked = overrides.map((each) => {
      this.#asked.add(each);
      const own = this.#inForce.ownClaims(each);
      return chain(fitTime(each, own, this.#peek), (fitsAt) => {
        if (fitsAt === undefined) return;
        if (isDenied) this.#tiers.set(each, fitsAt);
        if (!isShadow(own)) this.#fitsAt = Math.max(this.#fitsAt, fitsAt);
      });
    });
    return asked.some(isPromise) ? Promise.all(asked) : undefined;
  }
}

function isShadow({ claims }: ClaimSet): boolean {
  return claims[0]?.shadow === true;
}

/** Forgets when requests fit where one was admitted, because it has charged units. */
export function forgetFits({ outcomes }: Answer, inForce: InForce): void {
  if (!isAdmitted(outcomes)) return;
  for (const { tier, allowed } of outcomes) {
    const override = allowed ? overrideIn(inForce, tier)?.override : undefined;
    if (override?.until !== undefined) remembered.delete(override);
  }
}

/** Undefined where the store does not answer. */
function fitTime({ override }: TierOverride, own: ClaimSet, peek: Peek): MaybePromise<number | undefined> {
  const until = override.until!;
  // Without a claim the tier does not apply.
  if (own.claims.length === 0) return until;
  const { cost, policy } = own.claims[0]!;
  const known = remembered.get(override);
  if (known?.policy === policy && known.cost === cost && performance.now() - known.askedAt < REMEMBERED_MS)
    return known.fitsAt;
  const fitIn = ({ outcomes }: Answer): number | undefined =>
    outcomes[0] && Math.max(until, Date.now() + outcomes[0].retryAfter);
  const answer = peek(own);
  if (!isPromise(answer)) return fitIn(answer);
  return chain(answer, (each) => {
    const fitsAt = fitIn(each);
    if (fitsAt !== undefined) remembered.set(override, { policy, cost, fitsAt, askedAt: performance.now() });
    return fitsAt;
  });
}
