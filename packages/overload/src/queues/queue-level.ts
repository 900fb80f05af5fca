/** At 100 points all sheddable acquisitions are refused, at 200 all normal ones too. */
const TOP = 200;
/** Of a queue in which only sheddable acquisitions wait. */
const TOP_OF_SHEDDABLE = 100;
/** Points that a queue has to earn before an acquisition is refused. */
const HEADROOM = 50;
/** Points for a slice with a standing queue, for each target of its wait after the first: until the first refusal, and then. */
const DOUBT = 10;
const RISE = 4;
/** Points for a calm slice, for each calm slice before it: 200 points fall in 4 seconds. */
const FALL = 0.25;
/** Points for a calm slice in which the pool had room all the time. */
const IDLING = 200;
/** A pool that has room in a larger part of a slice was let in too little. */
const SPARE = 0.2;

/** A number for each priority that may be refused. */
export interface Refusable {
  readonly normal: number;
  readonly sheddable: number;
}

/** A slice of 100 ms. */
export interface Slice {
  /** What acquisitions have waited at least, in milliseconds. */
  readonly waits: Refusable;
  /** The part of it in which the pool had room. */
  readonly room: number;
  /** Acquisitions that this room would have served. */
  readonly fits: number;
  /** Acquisitions that the level has refused. */
  readonly refused: Refusable;
}

/**
 * How overloaded a queue is, in points from 0 to 200: a function of what its slices of 100 ms have waited. It is the rule of the
 * event loop (docs/guide/overload.md), for a queue of which priorities and room are known.
 */
export class QueueLevel {
  readonly #target: number;
  #points = -HEADROOM;
  #before = 0;
  #calmSlices = 0;
  /** Slices in a row in which the pool had room. */
  #spareSlices = 0;
  #standing = 0;

  /** @param target milliseconds that are no overload */
  constructor(target: number) {
    this.#target = target;
  }

  /** 0 to 200. */
  get level(): number {
    return Math.max(0, this.#points);
  }

  /** The wait that two slices in a row had, in milliseconds. */
  get standing(): number {
    return this.#standing;
  }

  /** No acquisition is refused, and what has stood is forgotten. */
  get isCalm(): boolean {
    return this.#points === -HEADROOM && this.#standing === 0;
  }

  endSlice(slice: Slice): void {
    const { normal, sheddable } = slice.waits;
    const wait = Math.max(normal, sheddable);
    this.#standing = Math.min(this.#before, wait);
    this.#before = wait;
    this.#spareSlices = slice.room > SPARE ? this.#spareSlices + 1 : 0;
    if (wait <= this.#target) this.#fall(slice);
    else this.#rise(normal > this.#target ? TOP : TOP_OF_SHEDDABLE);
  }

  #fall(slice: Slice): void {
    this.#calmSlices += 1;
    // Clients may have one cohort, as behind a proxy that nobody trusts: then one point lets in nobody, or all of them.
    const most = this.#most(slice, 2 ** Math.max(0, this.#spareSlices - 1));
    const fall = Math.min(FALL * this.#calmSlices + IDLING * slice.room, most);
    this.#points = Math.max(-HEADROOM, this.#points - fall);
  }

  /**
   * The points that let in what fits: a hundred are all acquisitions of a priority. At 12 times the capacity one point is a tenth of
   * it, and a level that fell to 0 would let in a flood that is refused when it has waited.
   *
   * @param times of what fits
   */
  #most({ fits, refused: { normal, sheddable } }: Slice, times: number): number {
    if (this.#points <= 0) return Infinity;
    if (this.#points <= TOP_OF_SHEDDABLE) return sheddable === 0 ? Infinity : (this.#points * fits * times) / sheddable;
    const above = this.#points - TOP_OF_SHEDDABLE;
    const most = normal === 0 ? Infinity : (above * fits * times) / normal;
    // Sheddable ones come after all normal ones.
    return sheddable === 0 ? most : Math.min(most, above);
  }

  /** A queue in which normal acquisitions stopped waiting is refused its sheddable ones alone. */
  #rise(top: number): void {
    this.#calmSlices = 0;
    const targets = Math.max(0, this.#standing / this.#target - 1);
    const points = this.#points + (this.#points > 0 ? RISE : DOUBT) * targets;
    this.#points = Math.min(Math.max(top, this.#points - DOUBT), points);
  }
}
