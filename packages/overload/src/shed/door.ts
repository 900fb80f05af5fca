import type { DoorEvent } from './shed-events.js';
import type { Priority } from './priority.js';

/** Turns in a row that have accepted a connection: behind so many more wait in the kernel. */
const QUEUE = 2;
/** Milliseconds after which requests are let in at the end of the turn that runs. A long task lengthens that turn, and their hold. */
const LONGEST = 100;
/** Requests that are held at most, as many as the kernel's queue of Node, and the part of the free descriptors. */
const MOST = 512;
const SHARE = 1 / 4;
const ORDER: readonly Priority[] = ['critical', 'normal', 'sheddable'];

/** The turns of an event loop. */
export interface Turns {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls back once, when the turn ends that runs. @param isUrgent false if the loop may sleep before that */
  atEnd(callback: () => void, isUrgent: boolean): void;
  /** Calls back once, when a request that was released has done what it does before it waits for something. */
  afterWork(callback: () => void): void;
  /** Descriptors that the process may have open. */
  descriptors(): number;
}

/** A request at the door. */
export interface Waiting {
  readonly priority: Priority;
  /** Its client has gone. */
  hasLeft(): boolean;
  /** @param isThere false if its client has left */
  release(isThere: boolean): void;
}

/**
 * Where new connections enter a process. Since Node 20.3 a turn of the event loop accepts one connection, so that those of a rush
 * wait in the kernel, where no timer is late. While turns accept, requests are held until all connections are in: the queue
 * then stands in the loop, which measures it, and the most important requests are served first.
 */
export class Door {
  readonly #turns: Turns;
  readonly #onRelease: (event: DoorEvent) => void;
  #accepting = 0;
  #hasAccepted = false;
  #isWatching = false;
  /** The lowest that was free, so that those below it are open. */
  #descriptor = -1;
  #held: Waiting[] = [];
  #since = 0;
  /** Requests are let in: those that come to a second shedder are not held again. */
  #isReleasing = false;

  constructor(turns: Turns, onRelease: (event: DoorEvent) => void) {
    this.#turns = turns;
    this.#onRelease = onRelease;
  }

  /** A connection was accepted. @param descriptor its number. Below 0 where it has none */
  accept(descriptor: number): void {
    this.#descriptor = descriptor;
    if (!this.#hasAccepted) this.#accepting += 1;
    this.#hasAccepted = true;
    if (this.#isWatching) return;
    this.#isWatching = true;
    // Nobody waits for the end of this turn: the loop sleeps as it would without a door.
    this.#turns.atEnd(this.#endTurn, false);
  }

  /** A request has to be held. */
  get isQueued(): boolean {
    return this.#accepting >= QUEUE && !this.#isReleasing && !this.#isFull;
  }

  /** Then nobody is held any longer: who came after the last would be worked on before all of them, one in a turn. */
  get #isFull(): boolean {
    return this.#held.length >= this.#most();
  }

  hold(request: Waiting): void {
    if (this.#held.length === 0) this.#since = this.#turns.now();
    this.#held.push(request);
  }

  #most(): number {
    if (this.#descriptor < 0) return MOST;
    return Math.min(MOST, SHARE * (this.#turns.descriptors() - this.#descriptor));
  }

  readonly #endTurn = (): void => {
    if (this.#hasAccepted) this.#turns.atEnd(this.#endTurn, this.#accepting >= QUEUE);
    else {
      this.#accepting = 0;
      this.#isWatching = false;
    }
    this.#hasAccepted = false;
    if (this.#held.length > 0 && (!this.#isWatching || this.#isFull || this.#turns.now() - this.#since >= LONGEST)) {
      this.#release();
    }
  };

  #release(): void {
    const held = this.#held;
    const longest = this.#turns.now() - this.#since;
    const inOrder = ORDER.flatMap((priority) => held.filter((each) => each.priority === priority)).values();
    let left = 0;
    this.#held = [];
    this.#isReleasing = true;
    const next = () => {
      const { value: request, done } = inOrder.next();
      if (done) {
        this.#isReleasing = false;
        this.#onRelease({ held: held.length, left, longest });
        return;
      }
      const isThere = !request.hasLeft();
      if (!isThere) left += 1;
      // The next is decided when the work of this one has made the loop late.
      this.#turns.afterWork(next);
      request.release(isThere);
    };
    next();
  }
}
