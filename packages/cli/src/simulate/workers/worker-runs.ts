import type { Trial } from '../../limits/trial.js';
import type { Worker } from './worker.js';
import type { Way } from './ways.js';

/** What workers did until all were served, or until the end. */
export interface WorkerRun {
  /** Requests of each worker. */
  readonly sent: readonly number[];
  readonly served: number;
  /** Milliseconds until the last worker was served, or until the end. */
  readonly took: number;
  /** When requests came, in milliseconds, ascending. */
  readonly moments: readonly number[];
}

export interface WorkerSetup {
  /** Milliseconds. */
  readonly duration: number;
  /** Milliseconds. */
  readonly window: number;
}

interface Waiting {
  readonly worker: number;
  readonly denials: number;
  readonly before: number;
}

/** A time since 1970 that no window knows. */
const START = Date.UTC(2030, 0, 1);
/** The most that a worker comes late, in milliseconds: its timer, and the network. */
const LATE = 80;
/** More take minutes. */
export const MOST_REQUESTS = 3_000_000;

/** Workers that come all at once, and come back in one way until they are served. */
export function runWorkers(
  trial: Trial<Worker>,
  fleet: readonly Worker[],
  { way, setup, random }: { readonly way: Way; readonly setup: WorkerSetup; readonly random: () => number },
): WorkerRun {
  const { duration, window } = setup;
  const workers = fleet.length;
  const sent = new Array<number>(workers).fill(0);
  const moments: number[] = [];
  const line = new Moments<Waiting>();
  for (let worker = 0; worker < workers; worker += 1) line.add(random() * LATE, { worker, denials: 0, before: 0 });
  let [served, last] = [0, 0];
  for (let next = line.take(); next !== undefined && next.time < duration; next = line.take()) {
    const { time, what } = next;
    const { worker } = what;
    if (moments.length === MOST_REQUESTS) break;
    sent[worker]! += 1;
    moments.push(time);
    const { allowed, retryAfter } = trial.decide(fleet[worker]!, START + Math.round(time * 1e3) / 1e3, 1);
    if (allowed) {
      served += 1;
      last = time;
      continue;
    }
    const told = { wait: retryAfter, seconds: Math.max(1, Math.ceil(retryAfter / 1e3)), window };
    const denials = what.denials + 1;
    const wait = way.wait({ ...told, denials, before: what.before }, random);
    line.add(time + wait + random() * LATE, { worker, denials, before: wait });
  }
  return { sent, served, took: served === workers ? last : duration, moments };
}

/** What happens at moments that are known, the earliest first: a heap. */
class Moments<T> {
  readonly #heap: { readonly time: number; readonly what: T }[] = [];

  add(time: number, what: T): void {
    const heap = this.#heap;
    let place = heap.push({ time, what }) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (heap[parent]!.time <= time) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = { time, what };
  }

  take(): { readonly time: number; readonly what: T } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.time < heap[child]!.time) child += 1;
      if (heap[child]!.time >= last.time) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}
