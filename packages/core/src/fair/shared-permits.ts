import { Permits } from '../algorithms/concurrency/permits.js';

/** The units that a caller was denied. */
export interface Wish {
  /** In milliseconds. */
  readonly until: number;
  readonly cost: number;
}

const MOST_WISHES = 100;

/** Permits of a limit that callers share. It is a class below theirs, because a limit may be shared from one day to the next. */
export class SharedPermits extends Permits {
  /** By the ends of callers, the latest last. */
  readonly wishes: Map<string, Wish>;

  constructor(units?: Iterable<readonly [string, number]>, wishes?: Iterable<readonly [string, Wish]>) {
    super(units);
    this.wishes = new Map(wishes);
  }

  override redated(latest: number): SharedPermits {
    return new SharedPermits(super.redated(latest).entries(), this.wishes);
  }

  /** Remembers what a caller was denied. Beyond 100 the oldest wish is forgotten. */
  wish(caller: string, wish: Wish): void {
    this.wishes.delete(caller);
    this.wishes.set(caller, wish);
    if (this.wishes.size > MOST_WISHES) this.wishes.delete(this.wishes.keys().next().value!);
  }

  override toJSON(): object {
    return { ...super.toJSON(), ...(this.wishes.size > 0 && { wishes: [...this.wishes] }) };
  }
}
