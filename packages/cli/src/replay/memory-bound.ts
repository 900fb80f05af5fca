import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** How much of a log fits the memory. */
export interface MemoryBound {
  readonly requests: number;
  readonly clients: number;
  /** Characters of all texts that functions of tiers read. */
  readonly characters: number;
}

/** What a request takes at most: its columns, and as much again while they grow and are put in order. */
const REQUEST_BYTES = 100;
/** What a client takes at most: its name and its signs, and in each tier its key and what it has left. */
const CLIENT_BYTES = 1_000;
const TIER_BYTES = 1_000;
/** A note at so many says that more of a log changes nothing. */
const MOST_REQUESTS = 100_000_000;

/** What V8 counts for young objects, of which this program has few: Node 24 counts four times as much. */
const YOUNG_HEAP = (Number.parseInt(process.versions.v8, 10) >= 13 ? 192 : 48) * 2 ** 20;
/** What this program takes without a log. */
const OTHER_HEAP = YOUNG_HEAP + 16 * 2 ** 20;
/** A log of so few clients is read in any case. */
const FEWEST_CLIENTS = 1_000;

/**
 * @param tiers in which each client may have a count
 * @param heap bytes that this process may have for objects. @default as Node has it, by `--max-old-space-size`
 * @param memory bytes of the machine, or of the container. @default as Node finds it
 */
export function memoryBound(
  tiers: number,
  heap = getHeapStatistics().heap_size_limit,
  memory = memoryOfMachine(),
): MemoryBound {
  const free = Math.max(0, heap - OTHER_HEAP);
  return {
    requests: Math.min(MOST_REQUESTS, Math.floor((memory * 0.5) / REQUEST_BYTES)),
    clients: Math.max(FEWEST_CLIENTS, Math.floor((free * 0.6) / (CLIENT_BYTES + tiers * TIER_BYTES))),
    characters: Math.floor(free * 0.2),
  };
}

function memoryOfMachine(): number {
  // 0, or more than there is, for a process without a limit of its own.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}
