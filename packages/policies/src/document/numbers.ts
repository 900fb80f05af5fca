import type { PolicyOptions } from '@sluice/core';
import { algorithms } from '@sluice/core/operations';

type Given = Readonly<Record<string, unknown>>;

/** The options of a tier that are numbers of its algorithm. Undefined for an algorithm that there is not. */
export function numbersOf(given: Given): PolicyOptions | undefined {
  const { algorithm = 'sliding-window' } = given;
  const name = algorithm === 'gcra' ? 'token-bucket' : algorithm;
  if (typeof name !== 'string' || !Object.hasOwn(algorithms, name)) return undefined;
  const { options } = algorithms[name as keyof typeof algorithms];
  const own = Object.entries(given).filter(([option]) => options.includes(option));
  return { ...Object.fromEntries(own), algorithm: name } as PolicyOptions;
}
