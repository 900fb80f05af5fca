import { createLimiter, limitersOf, memoryStore } from '@sluice/core';
import { keyShape } from '@sluice/metrics/operations';
import type { PolicyDocument } from '../document/read-document.js';

/** What the counts of a tier depend on. */
export interface Shape {
  /** The name of its key, in the file. */
  readonly key: unknown;
  /** As the keys in the store end. */
  readonly end: string;
  readonly isBalance: boolean;
}

/** What core stores the counts of each tier by. A list of options that change it would be a second truth. */
export function shapesOf({ limiters, entries }: PolicyDocument<never>): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>();
  for (const tiers of limiters.values()) {
    const store = memoryStore();
    const limiter = createLimiter<never>({ store, tiers });
    for (const { name, policy } of limitersOf(store).flatMap((view) => view.tiers)) {
      const { key } = entries.get(name)!.given;
      shapes.set(name, { key, end: keyShape(policy), isBalance: policy.algorithm.neverRefills });
    }
    void limiter.close();
    store.close();
  }
  return shapes;
}
