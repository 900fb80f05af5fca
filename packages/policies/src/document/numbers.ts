import type { PolicyOptions } from '@sluice/core';
import { algorithms } from '@sluice/metrics/operations';

type Given = Readonly<Record<string, unknown>>;

/** The options of a tier of code that are numbers of its algorithm. Undefined for an algorithm of a feature, and for none. */
export function numbersOf(tier: Given): PolicyOptions | undefined {
  const { algorithm = 'sliding-window' } = tier;
  const name = algorithm === 'gcra' ? 'token-bucket' : algorithm;
  const known = algorithms().find((each) => each.name === name);
  if (known === undefined) return undefined;
  const own = Object.entries(tier).filter(([option]) => option in known.options);
  return { ...Object.fromEntries(own), algorithm: name } as PolicyOptions;
}
