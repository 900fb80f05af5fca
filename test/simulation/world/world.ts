import { Random } from '../../properties/twin/random.js';
import { runSteps, setHost } from './globals.js';
import type { SimProcess } from './sim-process.js';

interface Event {
  readonly time: number;
  readonly number: number;
  readonly act: () => void;
}

/** One line of a story. */
export interface Line {
  /** Simulated milliseconds. */
  readonly at: number;
  readonly actor: string;
  readonly what: string;
}

/** Simulated time: what happens, in the order that a seed chooses. */
export class World {
  readonly random: Random;
  /** Simulated milliseconds. */
  now = 0;
  /** Undefined unless the story is wanted. */
  readonly story: Line[] | undefined;
  /** What has gone wrong. */
  readonly problems: string[] = [];
  readonly #heap: Event[] = [];
  #events = 0;
  /** The process whose loop turns. */
  #turning: SimProcess | undefined;

  constructor(seed: number, { isTraced = false } = {}) {
    this.random = new Random(seed);
    this.story = isTraced ? [] : undefined;
  }

  /** Has something happen at a time. */
  at(time: number, act: () => void): void {
    this.#events += 1;
    this.#push({ time: Math.max(time, this.now), number: this.#events, act });
  }

  after(milliseconds: number, act: () => void): void {
    this.at(this.now + milliseconds, act);
  }

  turn(process: SimProcess): void {
    this.#turning = process;
  }

  tell(actor: string, what: string): void {
    this.story?.push({ at: this.now, actor, what });
  }

  fail(problem: string): void {
    this.tell('LAW', problem);
    this.problems.push(problem);
  }

  /** Runs until a time, or until nothing happens any more. */
  async run(until: number): Promise<void> {
    await runSteps(() => this.#step(until));
    setHost(undefined);
    this.now = Math.max(this.now, until);
  }

  #step(until: number): boolean {
    for (;;) {
      const turning = this.#turning;
      if (turning !== undefined) {
        const act = turning.next();
        if (act !== undefined) {
          setHost(turning);
          act();
          return true;
        }
        this.#turning = undefined;
        turning.rest();
      }
      const first = this.#heap[0];
      if (first === undefined || first.time > until) return false;
      this.#pop();
      this.now = first.time;
      setHost(undefined);
      first.act();
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.time < other.time || (one.time === other.time && one.number < other.number);
}
