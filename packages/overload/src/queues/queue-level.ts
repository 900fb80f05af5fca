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

/** What the acquisitions of a slice have waited at least, in milliseconds. */
export interface SliceWaits {
  readonly normal: number;
  readonly sheddable: number;
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

  /** @param room the part of the slice in which the pool had room */
  endSlice({ normal, sheddable }: SliceWaits, room: number): void {
    const wait = Math.max(normal, sheddable);
    this.#standing = Math.min(this.#before, wait);
    this.#before = wait;
    if (wait <= this.#target) this.#fall(room);
    else this.#rise(normal > this.#target ? TOP : TOP_OF_SHEDDABLE);
  }

  #fall(room: number): void {
    this.#calmSlices += 1;
    this.#points = Math.max(-HEADROOM, this.#points - FALL * this.#calmSlices - IDLING * room);
  }

  /** A queue in which normal acquisitions stopped waiting is refused its sheddable ones alone. */
  #rise(top: number): void {
    this.#calmSlices = 0;
    const targets = Math.max(0, this.#standing / this.#target - 1);
    const points = this.#points + (this.#points > 0 ? RISE : DOUBT) * targets;
    this.#points = Math.min(Math.max(top, this.#points - DOUBT), points);
  }
}
