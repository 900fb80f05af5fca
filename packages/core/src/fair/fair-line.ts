import type { FairContext } from '../waiting/fair-lines.js';
import type { Checked, OpenLine, Turn, Work } from '../waiting/line.js';

/** A place in the line. */
interface Place<T extends Checked> {
  readonly work: Work<T>;
  readonly caller: Caller<T>;
  readonly cost: number;
  readonly resolve: (answer: PromiseLike<T> | T | undefined) => void;
  /** Ends its timer and its listener. */
  stop: () => void;
  hasLeft: boolean;
}

/** The work of a caller, in the order of its arrival. */
interface Caller<T extends Checked> {
  readonly name: string;
  readonly places: Place<T>[];
  weight: number;
  /** Units that it may take in this turn. */
  deficit: number;
  /** Its weight was added for this turn. */
  hasTurn: boolean;
  /** It was denied for its share, and nothing has changed since. */
  isSkipped: boolean;
  /** No check was sent for it. */
  isNew: boolean;
}

const ONLY: Turn = { caller: '', weight: 1, cost: 1 };

/**
 * Work of several callers, which take turns: deficit round robin. In a round each caller has as many units as its weight. A
 * denial for the share of a caller passes its turn on. While no unit is left, a check is sent for each new caller, so
 * that the store hears of it. One check is in flight.
 */
export class FairLine<T extends Checked> implements OpenLine<T> {
  readonly #context: FairContext<T>;
  /** In the order of their turns. One whose work has begun stays until its turn comes. */
  readonly #callers: Caller<T>[] = [];
  #size = 0;
  #isAsking = false;
  /** Set while the line pauses. */
  #timer: NodeJS.Timeout | undefined;
  /** It pauses because no unit is left for any caller. */
  #isFull = false;
  /** Something was released since the last check was sent. */
  #wasWoken = false;

  constructor(context: FairContext<T>) {
    this.#context = context;
  }

  get size(): number {
    return this.#size;
  }

  enter(work: Work<T>, denial?: T): Promise<T | undefined> {
    return new Promise((resolve) => {
      const place = this.#add(work, resolve);
      const leave = () => this.#leave(place, undefined);
      const timer = setTimeout(leave, Math.max(0, Math.ceil(work.wait)));
      place.stop = () => clearTimeout(timer);
      const stopListening = work.onLeave(leave);
      place.stop = () => {
        clearTimeout(timer);
        stopListening();
      };
      if (place.hasLeft) place.stop();
      else if (denial !== undefined) {
        place.caller.isNew = false;
        this.#onDenied(place, denial);
      }
      this.#advance();
    });
  }

  wake(): void {
    this.#wasWoken = true;
    this.#endPause();
  }

  close(): void {
    for (const { places } of this.#callers.toReversed()) {
      for (const place of places.toReversed()) this.#leave(place, undefined);
    }
  }

  #add(work: Work<T>, resolve: Place<T>['resolve']): Place<T> {
    const { caller: name, weight, cost } = work.turn ?? ONLY;
    const known = this.#callers.find((each) => each.name === name);
    const caller = known ?? { name, places: [], weight, deficit: 0, hasTurn: false, isSkipped: false, isNew: true };
    caller.weight = weight;
    if (known === undefined) this.#callers.push(caller);
    const place: Place<T> = { work, caller, cost, resolve, stop: () => {}, hasLeft: false };
    caller.places.push(place);
    this.#size += 1;
    return place;
  }

  #advance(): void {
    if (this.#isAsking) return;
    const isPaused = this.#timer !== undefined && this.#isFull;
    const caller = isPaused ? this.#callers.find(({ isNew, places }) => isNew && places.length > 0) : this.#turn();
    if (caller !== undefined) void this.#ask(caller.places[0]!);
  }

  /** The caller whose turn it is. Undefined if all were denied for their shares. */
  #turn(): Caller<T> | undefined {
    const callers = this.#callers;
    for (let index = 0; index < callers.length;) {
      const caller = callers[index]!;
      const [first] = caller.places;
      if (first !== undefined && caller.isSkipped) {
        index += 1;
        continue;
      }
      if (first !== undefined && !caller.hasTurn) caller.deficit += caller.weight;
      caller.hasTurn = true;
      if (first !== undefined && caller.deficit >= first.cost) return caller;
      this.#endTurn(caller);
      if (first === undefined) callers.pop();
    }
    return undefined;
  }

  #endTurn(caller: Caller<T>): void {
    caller.hasTurn = false;
    this.#callers.splice(this.#callers.indexOf(caller), 1);
    this.#callers.push(caller);
  }

  async #ask(place: Place<T>): Promise<void> {
    this.#isAsking = true;
    this.#wasWoken = false;
    place.caller.isNew = false;
    let settle: () => void;
    try {
      const answer = await place.work.ask(true);
      settle = () => this.#onAnswer(place, answer);
    } catch (error) {
      settle = () => place.hasLeft || this.#leave(place, Promise.reject(error));
    }
    settle();
    const goOn = () => {
      this.#isAsking = false;
      this.#advance();
    };
    // Work of `run` waits here one after the other: the next work of the caller enters in this turn of the event loop.
    if (place.hasLeft) setImmediate(goOn);
    else goOn();
  }

  #onAnswer(place: Place<T>, answer: T): void {
    if (place.hasLeft) place.work.giveBack(answer);
    else if (this.#context.isAdmitted(answer)) {
      const { caller } = place;
      caller.deficit -= place.cost;
      if (caller.deficit < 1) this.#endTurn(caller);
      this.#leave(place, answer);
      // Its wish is over, so that others may take what was reserved.
      this.#retryAll();
    } else this.#onDenied(place, answer);
  }

  #onDenied(place: Place<T>, denial: T): void {
    const pause = place.work.pauseAfter(denial, true);
    if (pause === undefined) {
      this.#leave(place, denial);
      return;
    }
    if (this.#wasWoken) return;
    const isCrowded = this.#context.isCrowded(denial);
    place.caller.isSkipped = isCrowded;
    this.#isFull = !isCrowded;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endPause(), pause);
  }

  #endPause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#retryAll();
    this.#advance();
  }

  #retryAll(): void {
    for (const caller of this.#callers) caller.isSkipped = false;
  }

  #leave(place: Place<T>, answer: PromiseLike<T> | T | undefined): void {
    const { caller } = place;
    place.hasLeft = true;
    caller.places.splice(caller.places.indexOf(place), 1);
    this.#size -= 1;
    place.stop();
    place.resolve(answer);
    if (this.#size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#context.onEmpty();
  }
}
