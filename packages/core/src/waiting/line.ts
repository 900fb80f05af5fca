// waiting/ has the lines in which requests and jobs wait for a permit: their order, pauses and ends. Checks that were
// denied for now enter. It imports model, and no store.
import { CheckWindow } from './check-window.js';
import type { Order } from './order.js';
import { newPlace, waitAt, type Place } from './place.js';
import { SentPlaces } from './sent-places.js';
import type { Checked, Work } from './work.js';

export interface LineContext<T> {
  /** Checks in flight. */
  readonly most: number;
  readonly isAdmitted: (answer: T) => boolean;
  readonly onEmpty: () => void;
}

/**
 * Work that asks in an order. Checks are in flight together while none is denied. After a denial they are sent one by one, and
 * together again as far as the answers leave units. Work that was admitted behind denied work gives its units back: it would
 * overtake.
 */
export class Line<T extends Checked> {
  readonly #context: LineContext<T>;
  /** Work whose check has to be sent. */
  readonly #order: Order<T>;
  readonly #sent = new SentPlaces<T>();
  #size = 0;
  #end = 0;
  #inFlight = 0;
  readonly #window: CheckWindow;
  /** Set while the line pauses. */
  #timer: NodeJS.Timeout | undefined;
  /** Something was released since the last check was sent. */
  #wasWoken = false;
  #isClosed = false;

  constructor(context: LineContext<T>, order: Order<T>) {
    this.#context = context;
    this.#order = order;
    this.#window = new CheckWindow(context.most);
  }

  get size(): number {
    return this.#size;
  }

  /** The pieces of work of a caller that wait for their check. It is 0 if callers take no turns. */
  sizeOf(caller: string): number {
    return this.#order.sizeOf(caller);
  }

  /**
   * The answer to work that has its turn, or whose denial ends its wait. Undefined for work that has left.
   *
   * @param denial of a check that was sent before, so that the first in line pauses now
   */
  enter(work: Work<T>, denial?: T): Promise<T | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const place = newPlace(this.#end, work, resolve);
      this.#end += 1;
      this.#size += 1;
      this.#order.add(place);
      if (denial !== undefined) this.#onDenied(place, denial, true);
      this.#send();
      if (denial === undefined && !place.isAsking) this.#wait(place);
    });
  }

  /** Has the first in line ask now, because something was released. */
  wake(): void {
    this.#wasWoken = true;
    this.#order.retry(true);
    this.#endPause();
  }

  /** Has all work leave, and none of it has a turn. It resolves when all are answered, in turns of the event loop that are short. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.leave(() => true);
  }

  /** Has some of the work leave. */
  async leave(isTheirs: (work: Work<T>) => boolean): Promise<void> {
    const places = [...this.#sent.values(), ...this.#order.places()].filter(({ work }) => isTheirs(work));
    await inShortTurns(places, (place) => {
      const { hasLeft, admitted, work } = place;
      if (hasLeft) return;
      if (admitted !== undefined) work.giveBack(admitted);
      this.#leave(place, undefined);
    });
    if (places.length > 0) this.#endPause();
  }

  /** Lets work begin from the front. */
  #begin(): void {
    for (let place = this.#sent.first; place !== undefined; place = this.#sent.first) {
      if (!place.hasLeft && place.admitted === undefined) return;
      this.#sent.shift();
      if (place.hasLeft) continue;
      this.#window.onAdmitted(place.admitted!);
      this.#order.onAdmitted(place);
      this.#leave(place, place.admitted);
    }
  }

  #send(): void {
    while (this.#inFlight < this.#window.size && !this.#isClosed) {
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
    const isAlone = this.#window.size === 1;
    place.isAsking = true;
    this.#inFlight += 1;
    this.#wasWoken = false;
    let settle: () => void;
    try {
      const answer = await place.work.ask(isAlone);
      settle = () => this.#onAnswer(place, answer, isAlone);
    } catch (error) {
      // An error that is thrown synchronously must not let the next work ask below it in the stack.
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
    if (pause > 0 && this.#sent.isEmpty) this.#pause(pause);
  }

  #sendAgainFrom(first: Place<T>): void {
    this.#window.onDenied();
    for (const place of this.#sent.takeFrom(first)) {
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

  #wait(place: Place<T>): void {
    waitAt(place, () => this.#giveUp(place));
  }

  #giveUp(place: Place<T>): void {
    // It begins as soon as the checks before it are answered.
    if (place.admitted !== undefined) return;
    const wasFirst = this.#isFirst(place);
    this.#leave(place, undefined);
    if (wasFirst) this.#endPause();
  }

  #isFirst(place: Place<T>): boolean {
    const first = this.#sent.first ?? this.#order.next(false);
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

/** So many items in one turn of the event loop. */
const TOGETHER = 250;

/** Calls back for each item, in turns of the event loop that are short. */
export async function inShortTurns<T>(items: readonly T[], callback: (item: T) => void): Promise<void> {
  for (let first = 0; first < items.length; first += TOGETHER) {
    if (first > 0) await nextTurn();
    for (const item of items.slice(first, first + TOGETHER)) callback(item);
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
