import type { Outcome } from '../model/outcome.js';
import type { Listen } from './sleep.js';

/** What a check gets: a decision of a limiter, or an answer of a store. */
export interface Checked {
  readonly outcomes: readonly Outcome[];
}

/** Work that waits for its turn: a request, or work of `run`. */
export interface Work<T extends Checked> {
  /** Sends a check. @param isAlone no other check of this line is in flight, so that this one may wait elsewhere */
  readonly ask: (isAlone: boolean) => PromiseLike<T> | T;
  /** Milliseconds until a denied check may be sent again. Undefined for a denial that ends the wait. */
  readonly pauseAfter: (denial: T, wasAlone: boolean) => number | undefined;
  /** Gives back what a check was charged whose work has to wait, or has left. It does not fail. */
  readonly giveBack: (answer: T) => void;
  /** How long the work waits at most, in milliseconds. */
  readonly wait: number;
  /** Calls back when it waits no longer for another reason. */
  readonly onLeave: Listen;
  /** Whose turn it takes, where callers take turns. */
  readonly turn?: Turn | undefined;
}

export interface Turn {
  readonly caller: string;
  readonly weight: number;
  /** Units that the work takes. */
  readonly cost: number;
}

/** Work that waits for units of one key. */
export interface OpenLine<T extends Checked> {
  readonly size: number;
  /**
   * The answer to work that has its turn, or whose denial ends its wait. Undefined for work that has left.
   *
   * @param denial of a check that was sent before, so that the first in line pauses now
   */
  enter(work: Work<T>, denial?: T): Promise<T | undefined>;
  /** Has the first in line ask now, because something was released. */
  wake(): void;
  /** Has all work leave, the last first, so that none of it has a turn. */
  close(): void;
}

/** A place in the line. */
interface Place<T extends Checked> {
  readonly number: number;
  readonly work: Work<T>;
  readonly resolve: (answer: PromiseLike<T> | T | undefined) => void;
  /** In milliseconds of `performance.now()`. */
  readonly waitsUntil: number;
  isAsking: boolean;
  /** Admitted behind work whose check is in flight. */
  admitted: T | undefined;
  /** Ends its timer and its listener. Undefined for work that has not had to wait. */
  stop: (() => void) | undefined;
}

export interface LineContext<T> {
  /** Checks in flight. */
  readonly most: number;
  readonly isAdmitted: (answer: T) => boolean;
  readonly onEmpty: () => void;
}

/**
 * Work in the order of its arrival. Checks are in flight together while none is denied. After a denial they are sent one by
 * one, and together again as far as the answers leave units. Work that was admitted behind denied work gives its units back:
 * it would overtake.
 */
export class Line<T extends Checked> implements OpenLine<T> {
  readonly #context: LineContext<T>;
  readonly #places = new Map<number, Place<T>>();
  /** The number of the first place, and of the first whose check has to be sent. */
  #first = 0;
  #next = 0;
  #end = 0;
  #inFlight = 0;
  /** Checks that may be in flight. */
  #window: number;
  /** Set while the first in line pauses. */
  #timer: NodeJS.Timeout | undefined;
  /** Something was released since the last check was sent. */
  #wasWoken = false;

  constructor(context: LineContext<T>) {
    this.#context = context;
    this.#window = context.most;
  }

  get size(): number {
    return this.#places.size;
  }

  enter(work: Work<T>, denial?: T): Promise<T | undefined> {
    return new Promise((resolve) => {
      const waitsUntil = performance.now() + work.wait;
      const state = { isAsking: false, admitted: undefined, stop: undefined };
      const place: Place<T> = { number: this.#end, work, resolve, waitsUntil, ...state };
      this.#places.set(place.number, place);
      this.#end += 1;
      if (denial !== undefined) this.#onDenied(place, denial, true);
      this.#advance();
      if (denial === undefined && !place.isAsking) this.#wait(place);
    });
  }

  wake(): void {
    this.#wasWoken = true;
    this.#endPause();
  }

  close(): void {
    for (const place of [...this.#places.values()].toReversed()) this.#leave(place, undefined);
  }

  /** Lets work begin from the front, and sends checks. */
  #advance(): void {
    for (let place = this.#front(); place?.admitted !== undefined; place = this.#front()) {
      this.#window = Math.max(1, Math.min(this.#window + 1, this.#context.most, roomAfter(place.admitted)));
      this.#leave(place, place.admitted);
    }
    while (this.#timer === undefined && this.#inFlight < this.#window && this.#next < this.#end) {
      const place = this.#places.get(this.#next);
      // Its earlier check is still in flight.
      if (place?.isAsking) return;
      this.#next += 1;
      if (place !== undefined) void this.#ask(place);
    }
  }

  /** The first place that was not left. */
  #front(): Place<T> | undefined {
    if (this.#places.size === 0) return undefined;
    while (!this.#places.has(this.#first)) this.#first += 1;
    return this.#places.get(this.#first);
  }

  async #ask(place: Place<T>): Promise<void> {
    const isAlone = this.#window === 1;
    place.isAsking = true;
    this.#inFlight += 1;
    this.#wasWoken = false;
    let settle: () => void;
    try {
      const answer = await place.work.ask(isAlone);
      settle = () => this.#onAnswer(place, answer, isAlone);
    } catch (error) {
      settle = () => this.#onError(place, error);
    }
    place.isAsking = false;
    this.#inFlight -= 1;
    settle();
    this.#advance();
  }

  #onAnswer(place: Place<T>, answer: T, wasAlone: boolean): void {
    if (!this.#has(place)) place.work.giveBack(answer);
    else if (!this.#context.isAdmitted(answer)) this.#onDenied(place, answer, wasAlone);
    else {
      place.admitted = answer;
      if (place.number >= this.#next) this.#takeBack(place);
    }
  }

  #onError(place: Place<T>, error: unknown): void {
    if (this.#has(place)) this.#leave(place, Promise.reject(error));
  }

  #onDenied(place: Place<T>, denial: T, wasAlone: boolean): void {
    const pause = place.work.pauseAfter(denial, wasAlone);
    if (pause === undefined) {
      this.#leave(place, denial);
      return;
    }
    this.#wait(place);
    if (!this.#has(place)) return;
    if (place.number < this.#next) this.#sendAgainFrom(place.number);
    if (this.#front() === place && pause > 0 && !this.#wasWoken) this.#pause(pause);
  }

  #sendAgainFrom(number: number): void {
    this.#window = 1;
    for (let behind = number + 1; behind < this.#next; behind += 1) {
      const other = this.#places.get(behind);
      if (other !== undefined) this.#takeBack(other);
    }
    this.#next = number;
  }

  /** Has work wait that was admitted, or whose check is in flight. */
  #takeBack(place: Place<T>): void {
    if (place.admitted !== undefined) place.work.giveBack(place.admitted);
    place.admitted = undefined;
    this.#wait(place);
  }

  #pause(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#endPause(), milliseconds);
  }

  #endPause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#advance();
  }

  /** Has work leave when its time is over, or for another reason. */
  #wait(place: Place<T>): void {
    place.stop?.();
    const { work, waitsUntil } = place;
    const leave = () => this.#giveUp(place);
    const stopListening = work.onLeave(leave);
    if (!this.#has(place)) return;
    const timer = setTimeout(leave, Math.max(0, Math.ceil(waitsUntil - performance.now())));
    place.stop = () => {
      clearTimeout(timer);
      stopListening();
    };
  }

  #giveUp(place: Place<T>): void {
    // It begins as soon as the checks before it are answered.
    if (place.admitted !== undefined) return;
    const wasFirst = this.#front() === place;
    this.#leave(place, undefined);
    if (wasFirst) this.#endPause();
  }

  #has({ number }: Place<T>): boolean {
    return this.#places.has(number);
  }

  #leave(place: Place<T>, answer: PromiseLike<T> | T | undefined): void {
    this.#places.delete(place.number);
    place.stop?.();
    place.resolve(answer);
    if (this.#places.size > 0) return;
    clearTimeout(this.#timer);
    this.#context.onEmpty();
  }
}

/** Requests that may fit after this one. Full budgets do not tell: a pause that is over has one unit. */
function roomAfter({ outcomes }: Checked): number {
  let room = Infinity;
  for (const { shadow, resetAfter, remaining } of outcomes) {
    if (!shadow && resetAfter > 0) room = Math.min(room, remaining);
  }
  return room;
}
