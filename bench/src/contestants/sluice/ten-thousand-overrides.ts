import type { Limiter } from '@sluice/core';
import { overridesOf } from '@sluice/core/overrides';

const COUNT = 10_000;

/** Gives other clients than those of the workload limits of their own. */
export function overrideOthers(limiter: Limiter<string>, limit: number): void {
  const of = (client: number) => ({ tier: 'one', identity: `other-${client}`, limit, reason: 'a benchmark' });
  overridesOf(limiter).replace(Array.from({ length: COUNT }, (_, client) => of(client)));
}
