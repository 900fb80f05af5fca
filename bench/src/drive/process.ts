import { serve } from '../processes/serve.js';
import { Entry, type EntryOptions } from './entry.js';
import type { SliceOrder } from './slice.js';

// The process of one contestant. Its heap and its compiled code are its own.
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
  /** Each slice starts without young garbage. A full collection would also drop compiled code. */
  collect(): void {
    globalThis.gc?.({ type: 'minor' });
  },
  /** Bytes in the heap and in typed arrays after two full collections. */
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
