import type { Limiter } from '@sluice/core';
import { overridesOf } from '@sluice/policies/overrides';

const COUNT = 10_000;

/** Gives clients limits of their own, so that each check of theirs has an override. */
export function overrideClients(limiter: Limiter<string>, clients: readonly string[], limit: number): void {
  overridesOf(limiter).replace(clients.map((identity) => ({ tier: 'one', identity, limit, reason: 'a benchmark' })));
}

/** Gives other clients than those of the workload limits of their own. */
export function overrideOthers(limiter: Limiter<string>, limit: number): void {
  const of = (client: number) => ({ tier: 'one', identity: `other-${client}`, limit, reason: 'a benchmark' });
  overridesOf(limiter).replace(Array.from({ length: COUNT }, (_, client) => of(client)));
}
