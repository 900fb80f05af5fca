import { onAbort } from './on-abort.js';
import type { Decision } from '../model/decision.js';
import type { StopSignal } from '../model/stop-signal.js';

/** Work that waits for its turn. */
export interface Work {
  /** @param isAlone no other work of this line is in flight, so that the check may wait for a permit */
  readonly ask: (isAlone: boolean) => PromiseLike<Decision> | Decision;
  /** Milliseconds until a denied check may be sent again. Undefined if the work does not wait so long. */
  readonly pauseAfter: (denial: Decision, wasAlone: boolean) => number | undefined;
  /** Gives back what a check was charged whose work has to wait. It does not fail. */
  readonly giveBack: (decision: Decision) => void;
  /** How long the work waits at most, in milliseconds. */
  readonly wait: number;
  readonly signal: StopSignal | undefined;
}

/** A place in the line. */
interface Place {
  readonly work: Work;
  readonly resolve: (decision: Decision | undefined) => void;
  readonly reject: (error: unknown) => void;
  readonly enteredAt: number;
  isAsking: boolean;
  /** Admitted behind work whose check is in flight. */
  admitted: Decision | undefined;
  denial: Decision | undefined;
  /** Ends its timer and its listener. Undefined for work that has not had to wait. */
  stop: (() => void) | undefined;
}

/**
 * Work of the same keys, in the order of its arrival. Checks are in flight together while none is denied. After a denial
 * they are sent one by one, and together again as far as the answers leave units. Work that was admitted behind denied
 * work gives its units back: it would overtake.
 */
export class Line {
  readonly #onEmpty: () => void;
  readonly #places = new Map<number, Place>();
  /** The number of the first place, and of the first whose check has to be sent. */
  #first = 0;
  #next = 0;
  #end = 0;
  #inFlight = 0;
  readonly #most: number;
  /** Checks that may be in flight. */
  #window: number;
  /** Set while the first in line waits for its units. */
  #timer: NodeJS.Timeout | undefined;

  /** @param most checks in flight */
  constructor(most: number, onEmpty: () => void) {
    this.#most = most;
    this.#window = most;
    this.#onEmpty = onEmpty;
  }

  /** The decision of work that has its turn, or that waits no longer. Undefined for work that leaves undecided. */
  enter(work: Work): Promise<Decision | undefined> {
    return new Promise((resolve, reject) => {
      const enteredAt = performance.now();
      const fields = { isAsking: false, admitted: undefined, denial: undefined, stop: undefined };
      const place: Place = { work, resolve, reject, enteredAt, ...fields };
      const number = this.#end;
      this.#places.set(number, place);
      this.#end += 1;
      this.#advance();
      if (!place.isAsking) this.#wait(number, place);
    });
  }

  /** Lets work begin from the front, and sends checks. */
  #advance(): void {
    for (let place = this.#front(); place?.admitted !== undefined; place = this.#front()) {
      this.#window = Math.max(1, Math.min(this.#window + 1, this.#most, roomAfter(place.admitted)));
      this.#leave(this.#first, place, place.admitted);
    }
    if (this.#places.size === 0) {
      this.#onEmpty();
      return;
    }
    while (this.#timer === undefined && this.#inFlight < this.#window && this.#next < this.#end) {
      const number = this.#next;
      const place = this.#places.get(number);
      // Its earlier check is still in flight.
      if (place?.isAsking) return;
      this.#next += 1;
      if (place !== undefined) this.#ask(number, place);
    }
  }

  /** The first place that was not left. */
  #front(): Place | undefined {
    if (this.#places.size === 0) return undefined;
    while (!this.#places.has(this.#first)) this.#first += 1;
    return this.#places.get(this.#first);
  }

  #ask(number: number, place: Place): void {
    const isAlone = this.#window === 1;
    place.isAsking = true;
    this.#inFlight += 1;
    const onEnd = () => {
      place.isAsking = false;
      this.#inFlight -= 1;
    };
    const onError = (error: unknown) => {
      onEnd();
      this.#leave(number, place, undefined);
      place.reject(error);
      this.#advance();
    };
    const onAnswer = (decision: Decision) => {
      onEnd();
      if (decision.allowed) this.#onAdmitted(number, place, decision);
      else this.#onDenied(number, place, decision, isAlone);
      this.#advance();
    };
    try {
      Promise.resolve(place.work.ask(isAlone)).then(onAnswer, onError);
    } catch (error) {
      onError(error);
    }
  }

  #onAdmitted(number: number, place: Place, decision: Decision): void {
    place.admitted = decision;
    if (number >= this.#next) this.#takeBack(number, place);
  }

  #onDenied(number: number, place: Place, denial: Decision, wasAlone: boolean): void {
    place.denial = denial;
    const pause = place.work.pauseAfter(denial, wasAlone);
    if (pause === undefined) {
      this.#leave(number, place, denial);
      return;
    }
    this.#wait(number, place);
    if (number >= this.#next) return;
    const isFirst = this.#front() === place;
    this.#window = 1;
    for (let behind = number + 1; behind < this.#next; behind += 1) {
      const other = this.#places.get(behind);
      if (other !== undefined) this.#takeBack(behind, other);
    }
    this.#next = number;
    if (isFirst && pause > 0) this.#sleep(pause);
  }

  /** Has work wait that was admitted, or whose check is in flight. */
  #takeBack(number: number, place: Place): void {
    if (place.admitted !== undefined) place.work.giveBack(place.admitted);
    place.admitted = undefined;
    this.#wait(number, place);
  }

  #sleep(pause: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#advance();
    }, pause);
  }

  /** Has work leave when its time is over, or when its signal fires, unless its check is in flight. */
  #wait(number: number, place: Place): void {
    if (!this.#places.has(number)) return;
    place.stop?.();
    const { signal, wait } = place.work;
    const timeLeft = signal?.aborted ? 0 : Math.max(0, place.enteredAt + wait - performance.now());
    const end = () => {
      if (place.isAsking || place.admitted !== undefined) return;
      const wasFirst = this.#front() === place;
      this.#leave(number, place, place.denial);
      if (!wasFirst) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#advance();
    };
    const timer = setTimeout(end, timeLeft);
    const stopListening = onAbort(signal, end);
    place.stop = () => {
      clearTimeout(timer);
      stopListening();
    };
  }

  #leave(number: number, place: Place, decision: Decision | undefined): void {
    this.#places.delete(number);
    place.stop?.();
    place.resolve(decision);
  }
}

/** Requests that may fit after this one. Full budgets do not tell: a pause that is over has one unit. */
function roomAfter({ outcomes }: Decision): number {
  let room = Infinity;
  for (const { shadow, resetAfter, remaining } of outcomes) {
    if (!shadow && resetAfter > 0) room = Math.min(room, remaining);
  }
  return room;
}
