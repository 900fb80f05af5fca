import type { Order } from './order.js';
import type { Place } from './place.js';
import type { Checked, Work } from './work.js';

/** Work that waits for units of one key. */
export interface OpenLine<T extends Checked> {
  readonly size: number;
  /**
   * The answer to work that has its turn, or whose denial ends its wait. Undefined for work that has left.
   *
   * @param denial of a check that was sent before, so that the first in line pauses now
   */
  enter(work: Work<T>, denial?: T): Promise<T | undefined>;
  /** Work of a caller that waits for its check. 0 where callers take no turns. */
  sizeOf(caller: string): number;
  /** Has the first in line ask now, because something was released. */
  wake(): void;
  /** Has all work leave, and none of it has a turn. It resolves when all are answered, in turns of the event loop that are short. */
  close(): Promise<void>;
  /** Has some of the work leave. */
  leave(isTheirs: (work: Work<T>) => boolean): Promise<void>;
}

export interface LineContext<T> {
  /** Checks in flight. */
  readonly most: number;
  readonly isAdmitted: (answer: T) => boolean;
  readonly onEmpty: () => void;
}

/** So many leave a line that closes in one turn of the event loop. */
const LEAVE_TOGETHER = 250;

/**
 * Work that asks in an order. Checks are in flight together while none is denied. After a denial they are sent one by one, and
 * together again as far as the answers leave units. Work that was admitted behind denied work gives its units back: it would
 * overtake.
 */
export class Line<T extends Checked> implements OpenLine<T> {
  readonly #context: LineContext<T>;
  /** Work whose check has to be sent. */
  readonly #order: Order<T>;
  /** Work whose check was sent, from `#begun` on. It begins in this order. */
  #sent: Place<T>[] = [];
  #begun = 0;
  #size = 0;
  #end = 0;
  #inFlight = 0;
  /** Checks that may be in flight. */
  #window: number;
  /** Set while the line pauses. */
  #timer: NodeJS.Timeout | undefined;
  /** Something was released since the last check was sent. */
  #wasWoken = false;
  #isClosed = false;

  constructor(context: LineContext<T>, order: Order<T>) {
    this.#context = context;
    this.#order = order;
    this.#window = context.most;
  }

  get size(): number {
    return this.#size;
  }

  sizeOf(caller: string): number {
    return this.#order.sizeOf(caller);
  }

  enter(work: Work<T>, denial?: T): Promise<T | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waitsUntil = performance.now() + work.wait;
      const state = { isSent: false, isAsking: false, hasLeft: false, admitted: undefined, stop: undefined };
      const place: Place<T> = { number: this.#end, work, resolve, waitsUntil, ...state };
      this.#end += 1;
      this.#size += 1;
      this.#order.add(place);
      if (denial !== undefined) this.#onDenied(place, denial, true);
      this.#send();
      if (denial === undefined && !place.isAsking) this.#wait(place);
    });
  }

  wake(): void {
    this.#wasWoken = true;
    this.#order.retry(true);
    this.#endPause();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.leave(() => true);
  }

  async leave(isTheirs: (work: Work<T>) => boolean): Promise<void> {
    const places = [...this.#sent.slice(this.#begun), ...this.#order.places()].filter(({ work }) => isTheirs(work));
    for (let first = 0; first < places.length; first += LEAVE_TOGETHER) {
      if (first > 0) await nextTurn();
      for (const place of places.slice(first, first + LEAVE_TOGETHER)) {
        const { hasLeft, admitted, work } = place;
        if (hasLeft) continue;
        if (admitted !== undefined) work.giveBack(admitted);
        this.#leave(place, undefined);
      }
    }
    if (places.length > 0) this.#endPause();
  }

  /** Lets work begin from the front. */
  #begin(): void {
    for (let place = this.#sent[this.#begun]; place !== undefined; place = this.#sent[this.#begun]) {
      if (!place.hasLeft && place.admitted === undefined) return;
      this.#begun += 1;
      if (place.hasLeft) continue;
      this.#window = Math.max(1, Math.min(this.#window + 1, this.#context.most, roomAfter(place.admitted!)));
      this.#order.onAdmitted(place);
      this.#leave(place, place.admitted);
    }
    this.#sent = [];
    this.#begun = 0;
  }

  #send(): void {
    while (this.#inFlight < this.#window && !this.#isClosed) {
      const place = this.#order.next(this.#timer !== undefined);
      // Its earlier check is still in flight.
      if (place === undefined || place.isAsking) return;
      place.isSent = true;
      this.#order.delete(place);
      this.#sent.push(place);
      void this.#ask(place);
    }
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
      // An error that is thrown at once must not let the next work ask below it in the stack.
      await undefined;
      settle = () => this.#onError(place, error);
    }
    place.isAsking = false;
    settle();
    this.#begin();
    if (place.hasLeft && this.#order.goesOnLater) await nextTurn();
    this.#inFlight -= 1;
    this.#begin();
    this.#send();
  }

  #onAnswer(place: Place<T>, answer: T, wasAlone: boolean): void {
    if (place.hasLeft) place.work.giveBack(answer);
    else if (!this.#context.isAdmitted(answer)) this.#onDenied(place, answer, wasAlone);
    else {
      place.admitted = answer;
      if (!place.isSent) this.#takeBack(place);
    }
  }

  #onError(place: Place<T>, error: unknown): void {
    if (!place.hasLeft) this.#leave(place, Promise.reject(error));
  }

  #onDenied(place: Place<T>, denial: T, wasAlone: boolean): void {
    const pause = place.work.pauseAfter(denial, wasAlone);
    if (pause === undefined) {
      this.#leave(place, denial);
      return;
    }
    this.#wait(place);
    if (place.hasLeft) return;
    if (place.isSent) this.#sendAgainFrom(place);
    if (this.#wasWoken || !this.#order.onDenied(place, denial)) return;
    if (pause > 0 && this.#sent.length === this.#begun) this.#pause(pause);
  }

  #sendAgainFrom(first: Place<T>): void {
    this.#window = 1;
    for (let place = this.#sent.pop()!; place !== first; place = this.#sent.pop()!) {
      if (place.hasLeft) continue;
      this.#order.add(place);
      place.isSent = false;
      this.#takeBack(place);
    }
    first.isSent = false;
    this.#order.add(first);
  }

  /** Has work wait that was admitted, or whose check is in flight. */
  #takeBack(place: Place<T>): void {
    if (place.admitted !== undefined) place.work.giveBack(place.admitted);
    place.admitted = undefined;
    this.#wait(place);
  }

  #pause(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#order.retry(false);
      this.#endPause();
    }, milliseconds);
  }

  #endPause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#begin();
    this.#send();
  }

  /** Has work leave when its time is over, or for another reason. */
  #wait(place: Place<T>): void {
    place.stop?.();
    const { work, waitsUntil } = place;
    const leave = () => this.#giveUp(place);
    const stopListening = work.onLeave(leave);
    if (place.hasLeft) return;
    const timer = setTimeout(leave, Math.max(0, Math.ceil(waitsUntil - performance.now())));
    place.stop = () => {
      clearTimeout(timer);
      stopListening();
    };
  }

  #giveUp(place: Place<T>): void {
    // It begins as soon as the checks before it are answered.
    if (place.admitted !== undefined) return;
    const wasFirst = this.#isFirst(place);
    this.#leave(place, undefined);
    if (wasFirst) this.#endPause();
  }

  #isFirst(place: Place<T>): boolean {
    const first = this.#sent[this.#begun] ?? this.#order.next(false);
    return first === place;
  }

  #leave(place: Place<T>, answer: PromiseLike<T> | T | undefined): void {
    if (!place.isSent) this.#order.delete(place);
    place.hasLeft = true;
    this.#size -= 1;
    place.stop?.();
    place.resolve(answer);
    if (this.#size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#context.onEmpty();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Requests that may fit after this one. Full budgets do not tell: a pause that is over has one unit. */
function roomAfter({ outcomes }: Checked): number {
  let room = Infinity;
  for (const { shadow, resetAfter, remaining } of outcomes) {
    if (!shadow && resetAfter > 0) room = Math.min(room, remaining);
  }
  return room;
}
