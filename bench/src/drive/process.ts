import { serve } from '../processes/serve.js';
import { Entry, type EntryOptions } from './entry.js';
import type { SliceOrder } from './slice.js';

// The process of a contestant: what others leave in the heap or teach the compiler does not reach it.
const entries = new Map<string, Entry>();

const verbs = {
  async open(options: EntryOptions): Promise<void> {
    entries.get(options.contestant)?.close();
    entries.delete(options.contestant);
    entries.set(options.contestant, await Entry.open(options));
  },
  spend: (name: string, limit: number) => entryOf(name).spend(limit),
  fill: (name: string, keys: number, inFlight: number) => entryOf(name).fill(keys, inFlight),
  slice: (name: string, order: SliceOrder) => entryOf(name).slice(order),
  /** So that nobody begins with the garbage of before. To collect all of it would throw compiled code away with it. */
  collect(): void {
    globalThis.gc?.({ type: 'minor' });
  },
  /** Bytes in the heap and in typed arrays, once all that nobody needs has gone. */
  heap(): number {
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};

export type DriveVerbs = typeof verbs;

serve(verbs);

function entryOf(name: string): Entry {
  const entry = entries.get(name);
  if (!entry) throw new Error(`"${name}" is not open`);
  return entry;
}
