import { lastsOf, partyIn, type Party, type PartyId, type PartyKind } from './parties.js';
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

interface Other extends PartyId {
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
  const waits = others.filter(({ id, wish }) => isBelow(id, wish.cost));
  const left = isBelow(party.id, cost)
    ? leftToOlder(waits, sinceOf(standing, party), standing, party)
    : waits.reduce((sum, { wish }) => sum + wish.cost, 0);
  return left === 0 || state.live(now) + cost + left <= policy.limit;
}

/** Since when a party wishes that is served while others of it wait. Below its share it is served as one that waits since long. */
export function sinceAfter(standing: Standing, party: Party): number {
  const isBelow = sharesOf(standing, party, othersOf(standing, party));
  return isBelow(party.id, 1) ? sinceOf(standing, party) : standing.now;
}

/** When the party was denied first, since it was below its share. */
export function sinceOf({ state, now, policy }: Standing, { name }: Party): number {
  const wish = state.wishes.get(name);
  return wish !== undefined && counts(name, wish, now, policy) ? Math.min(wish.since, now) : now;
}

/** The units that each party of a kind holds, the most first. */
export function heldBy(kind: PartyKind, state: Permits, now: number): readonly number[] {
  return [...holdersOf(state, now, kind).values()].map(({ units }) => units).toSorted((one, other) => other - one);
}

/** The units and the weight of each party that holds some. */
function holdersOf(state: Permits, now: number, kind: PartyKind): ReadonlyMap<string, Part> {
  const holders = new Map<string, Part>();
  for (const unit of state.unitsAt(now)) {
    const found = partyIn(kind, unit);
    if (found === undefined) continue;
    const part = holders.get(found.id) ?? { units: 0, weight: 0 };
    holders.set(found.id, { units: part.units + 1, weight: Math.max(part.weight, found.weight) });
  }
  return holders;
}

/** The wishes of other parties of a kind. */
function othersOf({ state, now, policy }: Standing, party: Party): readonly Other[] {
  const others: Other[] = [];
  for (const [name, wish] of state.wishes) {
    if (name[0] !== party.kind || !counts(name, wish, now, policy) || now - wish.since < party.from) continue;
    const found = partyIn(party.kind, name)!;
    if (found.id !== party.id) others.push({ ...found, wish });
  }
  return others;
}

/** A clock that has stepped back has left others ahead. */
function counts(name: string, { until }: Wish, now: number, policy: PermitPolicy): boolean {
  return until > now && until <= now + lastsOf(name, policy);
}

/** Tells which parties are below their shares with so many units more. */
function sharesOf({ state, now, policy }: Standing, party: Party, others: readonly Other[]) {
  const holders = holdersOf(state, now, party.kind);
  const weightOf = new Map<string, number>();
  let weights = 0;
  const add = (id: string, weight: number): void => {
    const known = weightOf.get(id) ?? 0;
    if (weight <= known) return;
    weightOf.set(id, weight);
    weights += weight - known;
  };
  for (const [id, { weight }] of holders) add(id, weight);
  add(party.id, party.weight);
  for (const { id, weight } of others) add(id, weight);
  return (id: string, more: number): boolean => {
    const units = holders.get(id)?.units ?? 0;
    return units === 0 || (units + more) * weights <= policy.limit * weightOf.get(id)!;
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
