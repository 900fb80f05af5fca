import { Random } from './random.js';

/** The keys of the requests. */
export interface Workload {
  /**
   * `uniform`: each key as often as the others. `zipf`: the n-th key n^1.1 times less often than the first. `hot`: one
   * key. `attack`: nine of ten requests use a few keys with a used-up limit.
   */
  readonly kind: 'uniform' | 'zipf' | 'hot' | 'attack';
  readonly keys: number;
}

export interface Keys {
  next(): string;
  /** Keys that must use up their limit before the workload begins. */
  readonly spent: readonly string[];
}

const ATTACKERS = 50;
const ATTACK_SHARE = 0.9;
const ZIPF = 1.1;

/** Names that exist once, while there are few enough of them. */
const KEPT = 1_000_000;

/** Names that are drawn before a workload begins, at least. */
const TURNS = 2 ** 17;

/** A hot key gives way to the next before it reaches a limit of a million. */
const HOT_FOR = 500_000;

export function keysOf({ kind, keys }: Workload, seed: number): Keys {
  const random = new Random(seed);
  if (kind === 'hot') {
    let drawn = 0;
    let hot = '';
    const next = () => {
      if (drawn % HOT_FOR === 0) hot = nameOf(drawn / HOT_FOR, seed);
      drawn += 1;
      return hot;
    };
    return { next, spent: [] };
  }

  if (keys > KEPT) return { next: () => nameOf(random.below(keys)), spent: [] };
  const names = Array.from({ length: keys }, (_, index) => nameOf(index));
  if (kind === 'uniform') return { next: inTurns(names, () => random.below(keys)), spent: [] };
  if (kind === 'zipf') return { next: inTurns(names, zipf(keys, random)), spent: [] };

  const spent = Array.from({ length: ATTACKERS }, (_, index) => `attacker-${index}`);
  const share = ATTACK_SHARE * 2 ** 32;
  const draw = () => (random.next() < share ? keys + random.below(ATTACKERS) : random.below(keys));
  return { next: inTurns([...names, ...spent], draw), spent };
}

/** The name of a client; a fresh text each time. */
export function nameOf(index: number, series = 0): string {
  return `client-${series}-${index}`;
}

/** Draws all names before the workload begins, because a draw takes as long as a cached denial. */
function inTurns(names: readonly string[], draw: () => number): () => string {
  const turns = Array.from({ length: Math.max(TURNS, names.length * 4) }, () => names[draw()]!);
  let at = 0;
  return () => {
    at = at + 1 < turns.length ? at + 1 : 0;
    return turns[at]!;
  };
}

function zipf(keys: number, random: Random): () => number {
  const sums = new Float64Array(keys);
  let sum = 0;
  for (let index = 0; index < keys; index += 1) sums[index] = sum += 1 / (index + 1) ** ZIPF;
  return () => firstAtLeast(sums, (random.next() / 2 ** 32) * sum);
}

function firstAtLeast(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
