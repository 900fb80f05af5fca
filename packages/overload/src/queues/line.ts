import { NumberedQueue } from '@sluice/core/internal';
import { type Priority, PRIORITIES } from '../shed/priority.js';
import { QueueLevel, type Refusable } from './queue-level.js';

/** Milliseconds of a slice. */
const SLICE = 100;
/** Milliseconds after the target, after which an acquisition is refused that is not critical: its queue stands. */
const PATIENCE = 300;
/** What is kept of the acquisitions of the best slice, in each later one. */
const MEMORY = 0.9;

/** The room of a pool. */
export interface Room {
  /** Acquisitions that the pool serves without a wait. */
  free(): number;
}

/** An acquisition that waits. */
export interface Waiting {
  readonly priority: Priority;
  /** Asks the pool. */
  start(): void;
  refuse(): void;
}

interface Place extends Waiting {
  readonly number: number;
  /** Since when, in monotonic milliseconds. */
  readonly since: number;
}

type Waits = Record<Priority, number>;

/** No acquisition has left the line in the slice. */
const nobody = (): Waits => ({ critical: Infinity, normal: Infinity, sheddable: Infinity });

/**
 * Where acquisitions wait while a pool has no room: critical ones go first, and the others in the order of arrival. Normal ones go
 * before sheddable ones while the queue is overloaded, and once they have waited for half of the target. A function of times, without a timer of its own.
 */
export class Line {
  readonly #room: Room;
  readonly #target: number;
  readonly #places: Readonly<Record<Priority, NumberedQueue<Place>>> = {
    critical: new NumberedQueue(),
    normal: new NumberedQueue(),
    sheddable: new NumberedQueue(),
  };
  readonly level: QueueLevel;
  #number = 0;
  #sliceStart = 0;
  /** Ticks of the slice, and those in which the pool had room. */
  #ticks = 0;
  #roomy = 0;
  /** The least wait in the slice. */
  #least = nobody();
  /** Acquisitions of the slice that have asked the pool, and those of the best slice of late. */
  #started = 0;
  #best = 0;
  /** Acquisitions of the slice that the level has refused. */
  #refused = { normal: 0, sheddable: 0 };

  /** @param target milliseconds that are no overload */
  constructor(target: number, room: Room) {
    this.#room = room;
    this.level = new QueueLevel(target);
    this.#target = target;
  }

  /** Acquisitions that wait. */
  get size(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.#places[priority].size, 0);
  }

  /** An acquisition need not wait. */
  get isOpen(): boolean {
    return this.size === 0 && this.#room.free() > 0;
  }

  /** @returns leaves the line */
  enter(now: number, waiting: Waiting): () => void {
    const { priority } = waiting;
    const place: Place = {
      priority,
      start: () => waiting.start(),
      refuse: () => waiting.refuse(),
      since: now,
      number: (this.#number += 1),
    };
    this.#places[priority].add(place);
    return () => this.#places[priority].delete(place);
  }

  /** Lets in whom the pool has room for. */
  letIn(now: number): void {
    while (this.#room.free() > 0) {
      const place = this.#next(now);
      if (place === undefined) return;
      this.#take(place, now);
      this.countStart();
      place.start();
    }
  }

  /** An acquisition asks the pool. */
  countStart(): void {
    this.#started += 1;
  }

  /** The level has refused an acquisition, or a request that needs one. */
  countRefusal(priority: keyof Refusable): void {
    this.#refused[priority] += 1;
  }

  /** @param refuses false in shadow. @returns whether a slice has ended */
  tick(now: number, refuses: boolean): boolean {
    // What no event of the pool has told.
    this.letIn(now);
    if (refuses) this.#refuseLate(now);
    this.#ticks += 1;
    if (this.isOpen) this.#roomy += 1;
    if (now - this.#sliceStart < SLICE) return false;
    const room = this.#roomy / this.#ticks;
    this.#best = Math.max(this.#started, MEMORY * this.#best);
    this.level.endSlice({
      waits: this.#waits(now),
      room,
      fits: Math.max(1, room * this.#best),
      refused: this.#refused,
    });
    this.#started = 0;
    this.#refused = { normal: 0, sheddable: 0 };
    this.#sliceStart = now;
    this.#ticks = 0;
    this.#roomy = 0;
    this.#least = nobody();
    return true;
  }

  #next(now: number): Place | undefined {
    const { critical, normal, sheddable } = this.#places;
    const first = normal.first();
    const isFirst = this.level.level > 0 || now - (first?.since ?? now) > this.#target / 2;
    if (critical.size > 0 || first === undefined || isFirst) {
      return critical.first() ?? first ?? sheddable.first();
    }
    const other = sheddable.first();
    return other === undefined || first.number < other.number ? first : other;
  }

  /** A place leaves the line. */
  #take(place: Place, now: number): void {
    const { priority, since } = place;
    this.#places[priority].delete(place);
    this.#least[priority] = Math.min(this.#least[priority], now - since);
  }

  #refuseLate(now: number): void {
    for (const priority of ['normal', 'sheddable'] as const) {
      const places = this.#places[priority];
      for (let place = places.first(); place !== undefined; place = places.first()) {
        if (now - place.since < this.#target + PATIENCE) break;
        this.#take(place, now);
        place.refuse();
      }
    }
  }

  #waits(now: number): Refusable {
    const waitOf = (priority: Priority) => {
      const first = this.#places[priority].first();
      const least = this.#least[priority];
      // Who waits still has waited so long: a pool that is stuck lets nobody in.
      if (least === Infinity) return first === undefined ? 0 : now - first.since;
      return least;
    };
    return { normal: waitOf('normal'), sheddable: waitOf('sheddable') };
  }
}
