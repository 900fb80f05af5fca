import { Permits } from '../permits.js';

/** The units that a party was denied. Times are milliseconds. */
export interface Wish {
  /** When it was denied first, since it was below its share. */
  readonly since: number;
  readonly until: number;
  readonly cost: number;
}

/** Wishes of a kind. */
const MOST_WISHES = 100;
/** That of a wish, in the Lua twin. */
const MOST_COST = 1_023;

/** Permits that parties wish. It is a class below theirs, because a limit may be shared from one day to the next. */
export class WishingPermits extends Permits {
  /** By the names of parties. */
  readonly wishes: Map<string, Wish>;
  /** For each of the next claims whether it may take its units, where only the store knows the wishes. */
  told: boolean[] | undefined;

  /** @param others units whose names only the store knows */
  constructor(
    units?: Iterable<readonly [string, number]>,
    wishes?: Iterable<readonly [string, Wish]>,
    others: number = 0,
  ) {
    super(units, others);
    this.wishes = new Map(wishes);
  }

  override redated(latest: number): WishingPermits {
    return new WishingPermits(super.redated(latest).entries(), this.wishes);
  }

  /** Remembers what a party was denied. Beyond 100 of a kind the one is forgotten that ends first. */
  wish(name: string, wish: Wish): void {
    this.wishes.set(name, { ...wish, cost: Math.min(wish.cost, MOST_COST) });
    if (this.wishes.size <= MOST_WISHES) return;
    const ofKind = [...this.wishes].filter(([each]) => each[0] === name[0]);
    if (ofKind.length <= MOST_WISHES) return;
    const [[first]] = ofKind.toSorted(([one, a], [other, b]) => a.until - b.until || (one < other ? -1 : 1)) as [
      [string, Wish],
    ];
    this.wishes.delete(first);
  }

  /** Forgets wishes that are over: a clock that steps back must not bring them back. */
  dropWishes(now: number): void {
    for (const [name, { until }] of this.wishes) if (until <= now) this.wishes.delete(name);
  }

  override toJSON(): object {
    return { ...super.toJSON(), ...(this.wishes.size > 0 && { wishes: [...this.wishes] }) };
  }
}
