import { Random } from '../drive/random.js';
import type { PairedSample, Sample } from './sample.js';

export interface Interleaving {
  readonly contestants: readonly string[];
  readonly reference: string;
  readonly rounds: number;
  readonly seed: number;
  readonly measure: (contestant: string) => Promise<Sample>;
  /** Runs after every slice. */
  readonly onSlice: () => void;
}

/**
 * Gives contestants their turns in an order that each round shuffles, and the reference one between any two. Machines
 * change their speed every second or so. The slices just before and just after are the reference of each slice.
 */
export async function interleave(options: Interleaving): Promise<Map<string, readonly PairedSample[]>> {
  const { contestants, reference, rounds, seed, measure, onSlice } = options;
  const random = new Random(seed);
  const samples = new Map<string, PairedSample[]>(contestants.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    let before = await measure(reference);
    onSlice();
    for (const name of shuffled(contestants, random)) {
      const sample = await measure(name);
      const after = await measure(reference);
      samples.get(name)!.push({ sample, before, after });
      before = after;
      onSlice();
      onSlice();
    }
  }
  return samples;
}

/** Slices of an interleaving. */
export function sliceCount({ contestants, rounds }: Pick<Interleaving, 'contestants' | 'rounds'>): number {
  return rounds * (2 * contestants.length + 1);
}

function shuffled(names: readonly string[], random: Random): readonly string[] {
  const left = [...names];
  return names.map(() => left.splice(random.below(left.length), 1)[0]!);
}
