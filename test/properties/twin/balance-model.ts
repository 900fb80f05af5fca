import { least, most } from './model/integers.js';

const HOUR = 3_600_000n;
const THIRTY_DAYS = 720n * HOUR;
const MAX = 2n ** 52n;
const IDS = 64;
const GRANTS = 16;

/** Units that end together. */
interface Grant {
  readonly order: bigint;
  /** Undefined for units without an end. */
  readonly ends: bigint | undefined;
  left: bigint;
}

/** What a charge has taken: of the first grant, and of all that follow it as one sum, which stands for the last one. */
export interface Spent {
  readonly first: Grant;
  readonly last: Grant;
  readonly rest: bigint;
}

/** How a call went, as the page says it. */
export type ModelCredit =
  | 'too much'
  | { readonly endsNext: bigint | undefined; readonly left: bigint | undefined }
  | { readonly left: bigint; readonly isNew: boolean; readonly units: bigint; readonly rest: bigint };

/** A balance as its page describes it. Times are milliseconds. */
export class BalanceModel {
  /** The sum of all postings, by their kind. */
  readonly posted = { credit: 0n, debit: 0n, expiry: 0n, lost: 0n, reconcile: 0n };
  /** Units that requests have spent, less those refunded. */
  spentInAll = 0n;
  /** All that have not ended, in the order in which they are spent. */
  #grants: Grant[] = [];
  /** When each id was counted, its units, and those that a debit did not find. */
  readonly #ids = new Map<string, readonly [at: bigint, units: bigint, rest: bigint]>();
  readonly #spent = new Map<bigint, bigint>();
  #isStored = false;

  get left(): bigint {
    return this.#grants.reduce((sum, { left }) => sum + left, 0n);
  }

  /** The hours of what was spent. */
  get hours(): readonly number[] {
    return [...this.#spent.keys()].map(Number);
  }

  /** What a request finds that changes nothing. */
  leftAt(now: bigint): bigint {
    return this.#grants.reduce((sum, each) => (hasEnded(each, now) ? sum : sum + each.left), 0n);
  }

  /** Whatever writes a balance posts first what has ended. */
  end(now: bigint): void {
    for (const each of this.#grants) if (hasEnded(each, now)) this.posted.expiry -= each.left;
    this.#grants = this.#grants.filter((each) => !hasEnded(each, now));
  }

  /** A denied request writes too, where units have ended. */
  touch(now: bigint): void {
    if (this.#grants.some((each) => each.left > 0n && hasEnded(each, now))) this.end(now);
  }

  spend(units: bigint, now: bigint): Spent {
    this.end(now);
    this.#count(units, now);
    return this.#take(units)!;
  }

  /** The units that come back, also those that are lost. */
  refund(units: bigint, { first, last, rest }: Spent, { charged, now }: { charged: bigint; now: bigint }): bigint {
    const live = this.leftAt(now);
    // Its key may have expired by a clock that steps back after that.
    const isOpen = this.#isStored && now - charged < THIRTY_DAYS;
    const given = isOpen ? least(units, MAX - live) : 0n;
    if (given === 0n) return 0n;
    this.end(now);
    const toLast = least(given, rest);
    for (const [grant, part] of [
      [last, toLast],
      [first, given - toLast],
    ] as const) {
      if (this.#grants.includes(grant)) grant.left += part;
      else if (grant.ends === undefined && grant.order === 50n) this.#addWithoutEnd(part);
      else this.posted.lost -= part;
    }
    this.#count(-given, charged);
    return given;
  }

  credit(units: bigint, grant: Omit<Grant, 'left'>, id: string, now: bigint): ModelCredit {
    const live = this.leftAt(now);
    const known = this.#ids.get(id);
    if (units !== 0n && known !== undefined && now - known[0] < THIRTY_DAYS) {
      this.end(now);
      return { left: live, isNew: false, units: known[1], rest: known[2] };
    }
    if (units > 0n && live + units > MAX) return 'too much';
    const refused = units > 0n && this.#refusal(grant, now);
    if (refused) return refused;
    this.end(now);
    if (units === 0n) return { left: live, isNew: false, units: 0n, rest: 0n };
    const taken = units < 0n ? least(-units, live) : 0n;
    const rest = units < 0n ? -units - taken : 0n;
    if (units > 0n) this.#grant(units, grant);
    else this.#take(taken);
    this.posted[units > 0n ? 'credit' : 'debit'] += units > 0n ? units : -taken;
    this.#remember(id, [now, units, rest]);
    return { left: this.left, isNew: true, units, rest };
  }

  reconcile(units: bigint, since: number, now: bigint): bigint {
    this.#isStored = true;
    this.end(now);
    const unknown = [...this.#spent].filter(([hour]) => hour >= BigInt(since));
    const spent = unknown.reduce((sum, [, each]) => sum + each, 0n);
    const before = this.left;
    const after = least(MAX, most(0n, units - spent));
    if (after < before) this.#take(before - after);
    else this.#addWithoutEnd(after - before);
    this.posted.reconcile += after - before;
    return after;
  }

  /** Its key has expired. */
  forget(): void {
    this.#isStored = false;
    this.#ids.clear();
    this.#spent.clear();
    this.#grants = [];
  }

  #refusal(wanted: Omit<Grant, 'left'>, now: bigint): ModelCredit | undefined {
    const live = this.#grants.filter((each) => !hasEnded(each, now));
    const withUnits = live.filter(({ left }) => left > 0n);
    if (withUnits.length < GRANTS || live.some((each) => isAlike(each, wanted))) return undefined;
    const [next] = withUnits
      .filter(({ ends }) => ends !== undefined)
      .toSorted((one, other) => Number(one.ends! - other.ends!));
    return { endsNext: next?.ends, left: next?.left };
  }

  #grant(units: bigint, wanted: Omit<Grant, 'left'>): void {
    const known = this.#grants.find((each) => isAlike(each, wanted));
    if (known) known.left += units;
    else if (wanted.ends === undefined && wanted.order === 50n) this.#addWithoutEnd(units);
    else {
      // The spent grant that would be spent first makes room.
      if (this.#grants.length >= GRANTS)
        this.#grants.splice(
          this.#grants.findIndex(({ left }) => left === 0n),
          1,
        );
      this.#insert({ ...wanted, left: units });
    }
  }

  #addWithoutEnd(units: bigint): void {
    if (units === 0n) return;
    const known = this.#grants.find((each) => isAlike(each, { order: 50n, ends: undefined }));
    if (known) known.left += units;
    else this.#insert({ order: 50n, ends: undefined, left: units });
  }

  #insert(grant: Grant): void {
    const never = MAX * MAX;
    this.#grants = [...this.#grants, grant].toSorted(
      (one, other) => Number(one.order - other.order) || Number((one.ends ?? never) - (other.ends ?? never)),
    );
  }

  #take(units: bigint): Spent | undefined {
    let wanted = units;
    let spent: Spent | undefined;
    for (const grant of this.#grants) {
      const taken = least(wanted, grant.left);
      wanted -= taken;
      grant.left -= taken;
      if (taken === 0n) continue;
      spent =
        spent === undefined
          ? { first: grant, last: grant, rest: 0n }
          : { ...spent, last: grant, rest: spent.rest + taken };
    }
    this.#grants = this.#grants.filter((each) => each.left > 0n || each.ends !== undefined || each.order !== 50n);
    return spent;
  }

  #count(units: bigint, charged: bigint): void {
    const hour = charged / HOUR;
    this.#spent.set(hour, (this.#spent.get(hour) ?? 0n) + units);
    this.spentInAll += units;
  }

  #remember(id: string, entry: readonly [at: bigint, units: bigint, rest: bigint]): void {
    this.#isStored = true;
    // Not sooner: a clock that steps back makes an id known again.
    for (const [each, [at]] of this.#ids) if (entry[0] - at >= THIRTY_DAYS) this.#ids.delete(each);
    const oldest = [...this.#ids].toSorted(
      ([one, [at]], [other, [then]]) => Number(at - then) || (one < other ? -1 : 1),
    );
    for (const [each] of oldest.slice(0, Math.max(0, oldest.length + 1 - IDS))) this.#ids.delete(each);
    this.#ids.set(id, entry);
  }
}

function hasEnded({ ends }: Grant, now: bigint): boolean {
  return ends !== undefined && ends <= now;
}

function isAlike(one: Omit<Grant, 'left'>, other: Omit<Grant, 'left'>): boolean {
  return one.order === other.order && one.ends === other.ends;
}
