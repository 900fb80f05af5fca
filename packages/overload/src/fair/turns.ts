import { type Checked, NumberedQueue, type Order, type Place, type Turn } from '@sluice/core/internal';
import { PairingHeap } from './pairing-heap.js';

/** Where a caller stands among the others. */
interface Stand<T extends Checked> {
  readonly caller: Caller<T>;
  /** Units by weight that it was given until then. */
  readonly start: number;
  readonly number: number;
}

interface Caller<T extends Checked> {
  readonly name: string;
  /** In the order in which callers came. */
  readonly number: number;
  /** Its work, in the order of arrival. */
  readonly places: NumberedQueue<Place<T>>;
  weight: number;
  /** The only stand that counts. */
  stand: Stand<T> | undefined;
  /** Its turn has come while its only work asks: its stand is kept here alone. */
  isOut: boolean;
}

const ONLY: Turn = { caller: '', weight: 1, cost: 1 };

/** So many callers in a row are denied for their shares before the line pauses. */
const CROWDED_TOGETHER = 16;
/** For so many milliseconds such a caller asks behind the others: it has its share in another process, and a check takes a round trip. */
const BEHIND_MS = 20;
/** So many new callers ask in a pause: a store remembers no more. */
const NEW_TOGETHER = 100;

/**
 * Callers take turns: start-time fair queuing. Each unit moves a caller on by 1 / weight, and the one asks that is furthest
 * behind. A denial for the share of a caller passes its turn on. While no unit is left, a check is sent for each new caller, so
 * that the store hears of it.
 */
export class Turns<T extends Checked> implements Order<T> {
  // Work of `run` waits here one after the other: the next work of a caller enters in the turn of the event loop of an answer.
  readonly goesOnLater = true;
  readonly #isCrowded: (denial: T) => boolean;
  /** One whose work has begun stays until its turn comes, so that its next work continues there. */
  readonly #callers = new Map<string, Caller<T>>();
  readonly #stands: PairingHeap<Stand<T>>;
  /** Those that were denied for their shares, while nothing has changed since. */
  readonly #passed: PairingHeap<Stand<T>>;
  /** Those that ask behind the others, because they were denied for their shares a short time ago. */
  readonly #behind: PairingHeap<Stand<T>>;
  /** In milliseconds of `performance.now()`. */
  #behindUntil = 0;
  /** Those for which no check was sent. */
  readonly #new = new NumberedQueue<Caller<T>>();
  /** The caller whose work asks, or has asked last. */
  #asks: Caller<T> | undefined;
  /** New callers that have asked in this pause. */
  #newAsked = 0;
  #numbered = 0;
  /** Where the caller stood that had the latest turn. */
  #now = 0;
  /** No unit is left for any caller. */
  #isFull = false;
  /** Callers that were denied for their shares in a row. */
  #crowded = 0;

  /** @param isBefore compares stands, for tests that count */
  constructor(isCrowded: (denial: T) => boolean, isBefore: (one: Stand<T>, other: Stand<T>) => boolean = standsBefore) {
    this.#isCrowded = isCrowded;
    this.#stands = new PairingHeap(isBefore);
    this.#passed = new PairingHeap(isBefore);
    this.#behind = new PairingHeap(isBefore);
  }

  *places(): Iterable<Place<T>> {
    for (const { places } of this.#callers.values()) yield* places.values();
  }

  sizeOf(caller: string): number {
    return this.#callers.get(caller)?.places.size ?? 0;
  }

  add(place: Place<T>): void {
    const { caller: name, weight } = place.work.turn ?? ONLY;
    let caller = this.#callers.get(name);
    if (caller === undefined) {
      this.#numbered += 1;
      caller = { name, number: this.#numbered, places: new NumberedQueue(), weight, stand: undefined, isOut: false };
      this.#callers.set(name, caller);
      this.#new.add(caller);
      this.#stand(caller, this.#now);
    }
    caller.weight = weight;
    caller.places.add(place);
    if (caller.isOut) this.#stands.push(caller.stand!);
    caller.isOut = false;
  }

  delete(place: Place<T>): void {
    const caller = this.#callerOf(place);
    caller.places.delete(place);
    if (!place.isSent) return;
    const before = this.#asks;
    this.#asks = caller;
    // Its work has left while it asked.
    if (before?.isOut && before !== caller) this.#forget(before);
  }

  next(isPaused: boolean): Place<T> | undefined {
    const isFull = isPaused && this.#isFull;
    if (isFull && this.#newAsked >= NEW_TOGETHER) return undefined;
    const caller = isFull ? this.#newCaller() : this.#furthestBehind();
    return caller?.places.first();
  }

  onAdmitted(place: Place<T>): void {
    const caller = this.#callerOf(place);
    const { cost } = place.work.turn ?? ONLY;
    this.#new.delete(caller);
    const { start } = caller.stand!;
    this.#now = Math.max(this.#now, start);
    this.#stand(caller, Math.max(start, this.#now) + cost / caller.weight);
    // Others may take what was reserved for it.
    this.retry(true);
  }

  onDenied(place: Place<T>, denial: T): boolean {
    const caller = this.#callerOf(place);
    this.#new.delete(caller);
    this.#newAsked += 1;
    this.#isFull = !this.#isCrowded(denial);
    if (this.#isFull) return true;
    const stand = { ...caller.stand! };
    caller.stand = stand;
    if (this.#passed.first === undefined && this.#behind.first === undefined) {
      this.#behindUntil = performance.now() + BEHIND_MS;
    }
    this.#passed.push(stand);
    this.#crowded += 1;
    this.#isFull = this.#crowded % CROWDED_TOGETHER === 0;
    return true;
  }

  retry(wasReleased: boolean): void {
    this.#crowded = 0;
    this.#newAsked = 0;
    if (!wasReleased && this.#furthestBehind() !== undefined) return;
    this.#behind.absorb(this.#passed);
    if (this.#behind.first !== undefined && performance.now() >= this.#behindUntil) this.#stands.absorb(this.#behind);
  }

  #callerOf({ work: { turn = ONLY } }: Place<T>): Caller<T> {
    return this.#callers.get(turn.caller)!;
  }

  #stand(caller: Caller<T>, start: number): void {
    this.#numbered += 1;
    caller.stand = { caller, start, number: this.#numbered };
    caller.isOut = false;
    this.#stands.push(caller.stand);
  }

  /** Undefined if all were denied for their shares. */
  #furthestBehind(): Caller<T> | undefined {
    for (let first = this.#first(); first !== undefined; first = this.#first()) {
      const { caller } = first;
      const counts = caller.stand === first;
      if (counts && caller.places.size > 0) return caller;
      this.#stands.shift();
      if (counts && caller === this.#asks) caller.isOut = true;
      else if (counts) this.#forget(caller);
    }
    return undefined;
  }

  #first(): Stand<T> | undefined {
    if (this.#stands.first === undefined) this.#stands.absorb(this.#behind);
    return this.#stands.first;
  }

  /** Its turn has come, and it has no work. */
  #forget(caller: Caller<T>): void {
    this.#now = Math.max(this.#now, caller.stand!.start);
    this.#callers.delete(caller.name);
    this.#new.delete(caller);
  }

  #newCaller(): Caller<T> | undefined {
    for (let caller = this.#new.first(); caller !== undefined; caller = this.#new.first()) {
      if (caller.places.size > 0) return caller;
      this.#new.delete(caller);
    }
    return undefined;
  }
}

function standsBefore<T extends Checked>(one: Stand<T>, other: Stand<T>): boolean {
  return one.start === other.start ? one.number < other.number : one.start < other.start;
}
