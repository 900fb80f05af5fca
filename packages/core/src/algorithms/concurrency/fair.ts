import type { OptionReader } from '../../options/option-reader.js';
import { NEVER } from '../../model/ruling.js';
import type { Candidate } from '../candidate.js';
import type { PermitPolicy } from './permit-policy.js';
import type { Permits } from './permits.js';

/** The caller that a policy decides about, where callers share its limit. */
export interface FairCaller {
  /** A number that stands for the caller, from 0 to 2^48 - 1. */
  caller: number;
  /**
   * Its part of the limit, from 1 to 100: a caller of weight 2 may hold twice as much as one of weight 1.
   *
   * @default 1
   */
  weight?: number;
}

/** The highest limit that callers share: a contended decision reads the names of all units. */
export const MAX_SHARED = 1_000;
export const MAX_WEIGHT = 100;
const MAX_CALLER = 2 ** 48 - 1;
/** A wish counts so many times as long as `retry`, because a client comes back a little later than that. */
const WISH_LASTS = 2;
const MOST_WISHES = 100;

/** What the names of the units of a caller end with. Undefined for a limit that callers do not share. @throws ConfigError */
export function readCaller(options: OptionReader): string | undefined {
  if (!options.has('fair')) return undefined;
  const fair = options.within('fair', ['caller', 'weight']);
  const caller = fair.integer('OPTION_INVALID', 'caller', { min: 0, max: MAX_CALLER });
  const weight = fair.integer('OPTION_INVALID', 'weight', { max: MAX_WEIGHT, otherwise: 1 });
  return `|${weight}|${caller}`;
}

/** What the policy of a caller has in addition. The Lua twin reads the caller and its weight behind the other numbers. */
export function sharedNumbers(
  numbers: readonly number[],
  end: string,
): Required<Pick<PermitPolicy, 'caller' | 'weight' | 'numbers'>> {
  const { caller, weight } = callerIn(end)!;
  return { caller: end, weight, numbers: [...numbers, caller, weight] };
}

/** Whether a caller may take units that fit: within its share, or as far as no other caller below its share waits for them. */
export function hasShare(state: Permits, now: number, policy: PermitPolicy, cost: number): boolean {
  const { limit } = policy;
  const own = callerIn(policy.caller!)!.caller;
  const others = wishesAt(state, now, policy).filter(({ caller }) => caller !== own);
  if (others.length === 0) return true;
  const parts = partsOf([...state.unitsAt(now)], [policy.caller!, ...others.map(({ end }) => end)]);
  let weights = 0;
  for (const { weight } of parts.values()) weights += weight;
  const isBelow = (caller: number, more: number): boolean => {
    const { units, weight } = parts.get(caller)!;
    return units === 0 || (units + more) * weights <= limit * weight;
  };
  if (isBelow(own, cost)) return true;
  const waiting = others.filter((each) => isBelow(each.caller, each.cost));
  const reserved = waiting.reduce((sum, each) => sum + each.cost, 0);
  return state.live(now) + cost + reserved <= limit;
}

/** The units that each caller holds, the most first. */
export function heldByCaller(state: Permits, now: number): readonly number[] {
  const parts = partsOf([...state.unitsAt(now)], []);
  return [...parts.values()].map(({ units }) => units).toSorted((one, other) => other - one);
}

/** The state after a charge: its caller wishes no more. */
export function served(state: Permits, end: string): void {
  state.wishes?.delete(end);
}

/** Remembers callers that fair tiers alone have denied. Another tier would deny them although units were left. */
export function rememberDenied(candidates: readonly Candidate[]): void {
  const denying = candidates.filter(({ claim, retryAfter }) => retryAfter !== 0 && !claim.shadow);
  if (!denying.every(isFairDenial)) return;
  for (const each of denying) {
    const { caller, retry } = each.claim.policy as PermitPolicy;
    (each.state as Permits).wish(caller!, { until: each.ticks + WISH_LASTS * retry, cost: each.cost }, MOST_WISHES);
    each.changed = true;
  }
}

function isFairDenial({ claim, retryAfter }: Candidate): boolean {
  return retryAfter !== NEVER && (claim.policy as PermitPolicy).caller !== undefined;
}

/** The wishes that count now. A clock that has stepped back has left others ahead. */
function wishesAt(state: Permits, now: number, { retry }: PermitPolicy) {
  const all = [...(state.wishes ?? [])].map(([end, wish]) => ({ ...wish, end, caller: callerIn(end)!.caller }));
  return all.filter(({ until }) => until > now && until <= now + WISH_LASTS * retry);
}

interface Part {
  readonly units: number;
  readonly weight: number;
}

/** The units and the weight of each caller that holds some, or wishes some. */
function partsOf(units: readonly string[], wishing: readonly string[]): ReadonlyMap<number, Part> {
  const parts = new Map<number, Part>();
  const add = (name: string, more: number): void => {
    const found = callerIn(name);
    if (found === undefined) return;
    const part = parts.get(found.caller) ?? { units: 0, weight: 0 };
    parts.set(found.caller, { units: part.units + more, weight: Math.max(part.weight, found.weight) });
  };
  for (const unit of units) add(unit, 1);
  for (const end of wishing) add(end, 0);
  return parts;
}

/** Undefined for a unit that was given before the limit was shared. */
function callerIn(name: string): { readonly caller: number; readonly weight: number } | undefined {
  const found = /\|(\d+)\|(\d+)/.exec(name);
  return found === null ? undefined : { weight: Number(found[1]), caller: Number(found[2]) };
}
