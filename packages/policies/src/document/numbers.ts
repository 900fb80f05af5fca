import type { PolicyOptions } from '@sluice/core';
import { algorithmNamed } from '@sluice/metrics/operations';

type Given = Readonly<Record<string, unknown>>;

/** The options of a tier of code that are numbers of its algorithm. Undefined for an algorithm of a feature, and for none. */
export function numbersOf(tier: Given): PolicyOptions | undefined {
  const known = algorithmNamed(tier['algorithm'] as string | undefined);
  if (known === undefined) return undefined;
  const own = Object.entries(tier).filter(([option]) => option in known.options);
  return { ...Object.fromEntries(own), algorithm: known.name } as PolicyOptions;
}
