import { createLimiter, memoryStore } from '@sluice/core';
import { fairBy } from '@sluice/overload/fair';
import { randomOf } from '../random/random.js';
import type { FairSetup, Tenant } from './fair-setup.js';
import { VirtualTime } from './virtual-time.js';

/** What the limiter said, and when. All times are milliseconds since the start. */
export interface TenantWitness {
  /** A request has run. @param waited before it began */
  ran(tenant: Tenant, from: number, to: number, waited: number): void;
  denied(tenant: Tenant): void;
}

/** A time since 1970. */
const START = Date.UTC(2030, 0, 1);

interface Subject {
  readonly tenant: string;
}

/**
 * Tenants that share a limit in flight: the limiter and the line of the library, in simulated time.
 *
 * @param isFair false for a line in the order of arrival
 * @throws ConfigError of core
 */
export async function runTenants(setup: FairSetup, isFair: boolean, witness: TenantWitness): Promise<void> {
  const { limit, work, tenants, duration, seed } = setup;
  const time = new VirtualTime();
  const next = randomOf(seed);
  const limiter = createLimiter<Subject>({
    store: memoryStore({ clock: () => START + time.now }),
    tiers: [
      {
        ...setup.tier,
        name: 'shared',
        key: () => 'all',
        algorithm: 'concurrency',
        limit,
        ...(isFair && { fair: fairBy(({ tenant }: Subject) => tenant) }),
      },
    ],
  });
  let failure: unknown;
  const loop = async (tenant: Tenant) => {
    for (;;) {
      if (tenant.pause > 0) await passed(tenant.pause);
      const came = time.now;
      const decision = await limiter.consume({ tenant: tenant.name });
      if (!decision.allowed) {
        witness.denied(tenant);
        await passed(decision.retryAfter);
        continue;
      }
      const began = time.now;
      const lasts = work * (0.8 + 0.4 * next());
      witness.ran(tenant, began, Math.min(duration, began + lasts), began - came);
      await passed(lasts);
      await limiter.release(decision);
    }
  };
  await time.run(duration, seed, () => {
    for (const tenant of tenants) {
      for (let index = 0; index < tenant.requests; index += 1) {
        loop(tenant).catch((error: unknown) => (failure = error));
      }
    }
  });
  if (failure !== undefined) throw failure;
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
