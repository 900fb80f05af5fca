import type { PermitPolicy } from '../algorithms/concurrency/permit-policy.js';
import type { Permits } from '../algorithms/concurrency/permits.js';
import { endOf } from './caller-end.js';
import type { SharedPermits } from './shared-permits.js';

/** A wish counts so many times as long as `retry`, because a client comes back a little later than that. */
export const WISH_LASTS = 2;

/** Whether a caller may take units that fit: within its share, or as far as no other caller below its share waits for them. */
export function hasShare(state: SharedPermits, now: number, policy: PermitPolicy, cost: number): boolean {
  const { limit } = policy;
  const own = endOf(policy.caller!)!.caller;
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

/** The wishes that count now. A clock that has stepped back has left others ahead. */
function wishesAt(state: SharedPermits, now: number, { retry }: PermitPolicy) {
  const all = [...state.wishes].map(([end, wish]) => ({ ...wish, end, caller: endOf(end)!.caller }));
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
    const found = endOf(name);
    if (found === undefined) return;
    const part = parts.get(found.caller) ?? { units: 0, weight: 0 };
    parts.set(found.caller, { units: part.units + more, weight: Math.max(part.weight, found.weight) });
  };
  for (const unit of units) add(unit, 1);
  for (const end of wishing) add(end, 0);
  return parts;
}
