import { lastsOf, partyIn, type Party, type PartyKind } from './parties.js';
import type { PermitPolicy } from '../permit-policy.js';
import type { Permits } from '../permits.js';
import type { Wish, WishingPermits } from './wishing-permits.js';

/** A party asks often that has asked within this part of `retry`. */
const PRESENT = 50;

/** Where a party stands when it asks. */
export interface Standing {
  readonly state: WishingPermits;
  readonly now: number;
  readonly policy: PermitPolicy;
}

interface Other {
  readonly party: string;
  readonly name: string;
  readonly wish: Wish;
}

/**
 * Whether a party may take units that fit. Above its share it leaves what parties below theirs wish; below its share it leaves
 * what those wish that wait for longer.
 */
export function mayTake(standing: Standing, cost: number, party: Party): boolean {
  const { state, now, policy } = standing;
  const others = othersOf(standing, party);
  if (others.length === 0) return true;
  const isBelow = sharesOf(standing, party, others);
  const waits = others.filter((each) => isBelow(each.party, each.wish.cost));
  const left = isBelow(partyIn(party.kind, party.name)!.party, cost)
    ? leftToOlder(waits, sinceOf(standing, party), standing, party)
    : waits.reduce((sum, { wish }) => sum + wish.cost, 0);
  return left === 0 || state.live(now) + cost + left <= policy.limit;
}

/** Since when a party wishes that is served while others of it wait. Below its share it is served as one that waits since long. */
export function sinceAfter(standing: Standing, party: Party): number {
  const isBelow = sharesOf(standing, party, othersOf(standing, party));
  return isBelow(partyIn(party.kind, party.name)!.party, 1) ? sinceOf(standing, party) : standing.now;
}

/** When the party was denied first, since it was below its share. */
export function sinceOf({ state, now, policy }: Standing, { name }: Party): number {
  const wish = state.wishes.get(name);
  return wish !== undefined && counts(name, wish, now, policy) ? Math.min(wish.since, now) : now;
}

/** The units that each party of a kind holds, the most first. */
export function heldBy(kind: PartyKind, state: Permits, now: number): readonly number[] {
  const parts = partsOf(kind, [...state.unitsAt(now)], []);
  return [...parts.values()].map(({ units }) => units).toSorted((one, other) => other - one);
}

/** The wishes of other parties of a kind. */
function othersOf({ state, now, policy }: Standing, { kind, name: own, from }: Party): readonly Other[] {
  const others: Other[] = [];
  const { party: ownParty } = partyIn(kind, own)!;
  for (const [name, wish] of state.wishes) {
    if (name[0] !== kind || !counts(name, wish, now, policy) || now - wish.since < from) continue;
    const { party } = partyIn(kind, name)!;
    if (party !== ownParty) others.push({ party, name, wish });
  }
  return others;
}

/** A clock that has stepped back has left others ahead. */
function counts(name: string, { until }: Wish, now: number, policy: PermitPolicy): boolean {
  return until > now && until <= now + lastsOf(name, policy);
}

/** Tells which parties are below their shares with so many units more. */
function sharesOf({ state, now, policy }: Standing, { kind, name: own }: Party, others: readonly Other[]) {
  const parts = partsOf(kind, [...state.unitsAt(now)], [own, ...others.map(({ name }) => name)]);
  let weights = 0;
  for (const { weight } of parts.values()) weights += weight;
  return (party: string, more: number): boolean => {
    const { units, weight } = parts.get(party)!;
    return units === 0 || (units + more) * weights <= policy.limit * weight;
  };
}

/** Units that a party below its share leaves to older wishes: of those that ask often, and of the oldest other one that came back. */
function leftToOlder(waits: readonly Other[], since: number, { now, policy }: Standing, party: Party): number {
  let left = 0;
  let first: Wish | undefined;
  for (const { wish } of waits) {
    if (wish.since >= since) continue;
    const asked = wish.until - party.lasts;
    if (party.kind === '~') left += wish.cost;
    else if (wish.since < asked) {
      if (asked > now - Math.floor(policy.retry / PRESENT)) left += wish.cost;
      else if (first === undefined || isBefore(wish, first)) first = wish;
    }
  }
  return left + (first?.cost ?? 0);
}

function isBefore(one: Wish, other: Wish): boolean {
  return one.since < other.since || (one.since === other.since && one.cost > other.cost);
}

interface Part {
  readonly units: number;
  readonly weight: number;
}

/** The units and the weight of each party that holds some, or wishes some. */
function partsOf(kind: PartyKind, units: readonly string[], wishing: readonly string[]): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  const add = (name: string, more: number): void => {
    const found = partyIn(kind, name);
    if (found === undefined) return;
    const part = parts.get(found.party) ?? { units: 0, weight: 0 };
    parts.set(found.party, { units: part.units + more, weight: Math.max(part.weight, found.weight) });
  };
  for (const unit of units) add(unit, 1);
  for (const name of wishing) add(name, 0);
  return parts;
}
