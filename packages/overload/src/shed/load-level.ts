import { RequestWork } from './request-work.js';

/** At 100 points all sheddable requests are refused, at 200 all normal ones too. */
const TOP = 200;
/** Points that a queue has to earn before a request is refused. A pause of 300 ms with its backlog earns fewer. */
const HEADROOM = 50;
/** Milliseconds between two ticks. */
const TICK = 10;
/** Milliseconds of a slice: a queue stands when it is in two slices in a row. */
const SLICE = 100;
/** Points for a slice with a standing queue, for each target of its delay: until the first request is refused. */
const DOUBT = 2.5;
/** A queue that stands for as many slices is one, whether it grows or not. The backlog of a pause of 300 ms is shorter. */
const LASTING = 15;
/** Points for a slice with a standing queue, for each such slice before it and each target of delay after the first. */
const RISE = 0.1;
/** Points for a calm slice, for each calm slice before it: 200 points fall in 4 seconds. */
const FALL = 0.25;
/** Points for a calm slice in which the loop idles: at half of the capacity no request is refused half a second later. */
const IDLING = 200;
/** Points that a request meets in addition, for each target of delay after the first. */
const STEEPNESS = 50;
/** A delay of as many targets that has grown by half since the last slice is a queue that grows. */
const GROWN = 3;
const GROWTH = 1.5;
/** Milliseconds of a pause that are forgotten in a millisecond, so that up to 0.8 of the capacity may come in it and no queue grows. */
const FORGOTTEN = 1 / 4;
/** Admitted work of as many targets is a queue, as soon as it delays anything. */
const AHEAD = 6;
/** A loop that works less than this part of a slice has no queue, which it would have worked on. */
const BUSY = 0.9;

/**
 * How overloaded an event loop is, in points from 0 to 200. What a process queues, it queues in its loop: a late timer measures
 * that queue. The rule is a function of times: docs/guide/overload.md explains it, and `npm run tool -- overload --model` tries it.
 */
export class LoadLevel {
  readonly #target: number;
  #points = -HEADROOM;
  /** The longest delay of the last slice, and of the slice that runs. */
  #before = 0;
  #worst = 0;
  #standing = 0;
  #sliceStart = 0;
  #busyAtStart = 0;
  #calmSlices = 0;
  #standingSlices = 0;
  /** The longest time between two looks since the last tick: one long task is no queue. */
  #longestStop = 0;
  /** The longest such time, less a part of the time since: what came in it is worked off late where all clients connect anew. */
  #pause = 0;
  #lastLook = 0;
  /** Milliseconds of admitted work that are not done: requests that wait for a database will come back for it. */
  #backlog = 0;
  readonly #work = new RequestWork();

  /** @param target milliseconds of delay that are no overload */
  constructor(target: number) {
    this.#target = target;
  }

  /** 0 to 200. */
  get level(): number {
    return Math.max(0, this.#points);
  }

  /** The delay that two slices in a row had, in milliseconds. */
  get standing(): number {
    return this.#standing;
  }

  /** The points that a request meets: those of the queue, and those of the delay that it has had itself. @param late of the timer. @param age since it was sent */
  levelAt(now: number, late: number, age = 0): number {
    this.#look(now, late);
    if (this.#points <= 0) return 0;
    const delay = Math.max(late, age, this.#backlog);
    const own = Math.max(0, delay / this.#target - 1) * STEEPNESS;
    return Math.min(TOP, this.#points + own);
  }

  /** A request goes on. */
  admit(): void {
    this.#backlog += this.#work.admit();
  }

  /** A request does not go on. */
  refuse(): void {
    this.#work.refuse();
  }

  /**
   * The timer has fired.
   *
   * @param late milliseconds after its time
   * @param busy milliseconds that the loop has worked, in all
   * @returns whether a slice has ended
   */
  tick(now: number, late: number, busy: () => number): boolean {
    this.#look(now, late);
    this.#longestStop = 0;
    this.#work.learn(now, busy);
    this.#worst = Math.max(this.#worst, late);
    if (now - this.#sliceStart < SLICE) return false;
    const passed = now - this.#sliceStart;
    const worked = busy();
    // Without a measure every loop is taken as busy.
    const part = worked === 0 ? 1 : Math.min(1, (worked - this.#busyAtStart) / passed);
    this.#endSlice(passed / SLICE, part);
    // The work of requests was overrated.
    if (part < BUSY) this.#backlog /= 2;
    this.#sliceStart = now;
    this.#busyAtStart = worked;
    return true;
  }

  #look(now: number, late: number): void {
    const passed = now - this.#lastLook;
    this.#lastLook = now;
    // Without requests there are no ticks: that is no stop of the loop, which would make the timer late.
    const stop = Math.min(passed, TICK + Math.max(0, late));
    this.#longestStop = Math.max(this.#longestStop, stop);
    this.#pause = Math.max(stop, this.#pause - FORGOTTEN * passed);
    this.#backlog = Math.max(0, this.#backlog - passed);
    if (this.#points <= 0 && (this.#isGrowing(late) || this.#isAhead())) this.#points = 1;
  }

  /**
   * A queue that grows is refused before it stands: at 12 times the capacity it is 12 times as long a turn later. What came in a
   * pause takes less time than the pause, unless the load is above the capacity.
   */
  #isGrowing(late: number): boolean {
    const queued = late - this.#longestStop;
    return (
      queued > GROWN * this.#target &&
      queued >= GROWTH * this.#before &&
      queued > Math.max(this.#pause, this.#longestStop)
    );
  }

  #isAhead(): boolean {
    return this.#backlog > AHEAD * this.#target && Math.max(this.#before, this.#worst) > this.#target;
  }

  /** @param slices how long it was. @param worked the part of it in which the loop did not idle */
  #endSlice(slices: number, worked: number): void {
    const delay = this.#worst;
    this.#worst = 0;
    this.#standing = Math.min(this.#before, delay);
    if (delay <= this.#target) this.#fall(slices, worked);
    else {
      this.#calmSlices = 0;
      if (worked < BUSY) this.#standingSlices = 0;
      else if (this.#before > this.#target && (this.#points > 0 || delay >= this.#before)) this.#rise(slices);
    }
    this.#before = delay;
  }

  #fall(slices: number, worked: number): void {
    this.#calmSlices += slices;
    this.#standingSlices = 0;
    // A loop also idles while what it has admitted waits for a database.
    const spare = this.#backlog <= this.#target ? IDLING * (1 - worked) : 0;
    this.#points = Math.max(-HEADROOM, this.#points - (FALL * this.#calmSlices + spare) * slices);
  }

  /** By the delay that has stood: a pause of a second is no queue of a second. What came in a pause earns nothing. */
  #rise(slices: number): void {
    const targets = this.#standing / this.#target;
    this.#standingSlices += slices;
    const doubt = this.#before > this.#pause ? DOUBT * targets : 0;
    const points = this.#points > 0 ? RISE * this.#standingSlices * (targets - 1) : doubt;
    this.#points = Math.min(TOP, this.#points + slices * points);
    if (this.#standingSlices >= LASTING) this.#points = Math.max(1, this.#points);
  }
}
