import { chain, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { ClaimSet } from '../limiter/claims/claim-set.js';
import type { Outcome } from '../model/outcome.js';
import type { Override } from '../model/override.js';
import type { Answer } from '../stores/store.js';
import { overrideIn, type FitTimes, type InForce } from './in-force.js';
import type { TierOverride } from './tier-override.js';

/** So long another process may change what a client that is denied again and again does not ask for. */
const REMEMBERED_MS = 1_000;

type Peek = (claimSet: ClaimSet) => MaybePromise<Answer>;

/** What the last denial of an identity has found. */
interface RememberedFit {
  readonly cost: number | undefined;
  readonly fitsAt: number;
  /** By the monotonic clock. */
  readonly askedAt: number;
}

const remembered = new WeakMap<Override, RememberedFit>();

/**
 * When the requests fit whose override ends before they fit by the override: the limit of the tier then decides, and may still
 * deny. Undefined without such a request, which is the usual case.
 */
export function fitTimes(
  outcomes: readonly Outcome[],
  inForce: InForce,
  peek: Peek,
): MaybePromise<FitTimes | undefined> {
  let ending: TierOverride[] | undefined;
  for (const outcome of outcomes) {
    const found = outcome.allowed ? undefined : overrideIn(inForce, outcome.tier);
    const until = found?.override.until;
    if (until !== undefined && Date.now() + outcome.retryAfter >= until) (ending ??= []).push(found!);
  }
  if (ending === undefined) return undefined;
  const fits = new Map<TierOverride, number>();
  const asked = ending.map((override) => [override, fitTime(override, inForce, peek)] as const);
  const waiting = asked.map(([override, fit]) =>
    chain(fit, (fitsAt) => fitsAt !== undefined && fits.set(override, fitsAt)),
  );
  return waiting.some(isPromise) ? Promise.all(waiting).then(() => fits) : fits;
}

/** Forgets when requests fit where one was admitted, because it has charged units. */
export function forgetFits({ outcomes }: Answer, inForce: InForce): void {
  for (const { tier, allowed } of outcomes) {
    const override = allowed ? overrideIn(inForce, tier)?.override : undefined;
    if (override?.until !== undefined) remembered.delete(override);
  }
}

/** Undefined where the store does not answer. */
function fitTime(tierOverride: TierOverride, inForce: InForce, peek: Peek): MaybePromise<number | undefined> {
  const { override } = tierOverride;
  const until = override.until!;
  const own = inForce.ownClaims(tierOverride);
  const zeroLimit = own.zeroLimits?.[0];
  if (zeroLimit !== undefined) return zeroLimit.allowed ? until : Infinity;
  // Without a claim the tier does not apply.
  const cost = own.claims[0]?.cost;
  if (cost === undefined) return until;
  const known = remembered.get(override);
  if (known?.cost === cost && performance.now() - known.askedAt < REMEMBERED_MS) return known.fitsAt;
  const fitIn = ({ outcomes }: Answer): number | undefined =>
    outcomes[0] && Math.max(until, Date.now() + outcomes[0].retryAfter);
  const answer = peek(own);
  if (!isPromise(answer)) return fitIn(answer);
  return chain(answer, (each) => {
    const fitsAt = fitIn(each);
    if (fitsAt !== undefined) remembered.set(override, { cost, fitsAt, askedAt: performance.now() });
    return fitsAt;
  });
}
