import type { PolicyOptions } from '@sluice/core';
import { algorithms } from '@sluice/core/operations';
// A document has all options of tiers, and no imports.
import '@sluice/core/fair';
import '@sluice/core/quotas';

type Given = Readonly<Record<string, unknown>>;

/** The options of a tier that are numbers of its algorithm. Undefined for an algorithm that there is not. */
export function numbersOf(given: Given): PolicyOptions | undefined {
  const { algorithm = 'sliding-window' } = given;
  const name = algorithm === 'gcra' ? 'token-bucket' : algorithm;
  const known = algorithms().find((each) => each.name === name);
  if (known === undefined) return undefined;
  const own = Object.entries(given).filter(([option]) => known.options.includes(option));
  // A shared limit has other bounds, whatever its callers are.
  const fair = given['fair'] === undefined ? {} : { fair: { caller: 0 } };
  return { ...Object.fromEntries(own), ...fair, algorithm: name } as PolicyOptions;
}
