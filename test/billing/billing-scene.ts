import { createLimiter, memoryStore, type Limiter, type Store } from '@sluice/core';
import { exportUsage, usage, type UsageExport, type UsageSink } from '@sluice/quotas';
import { Random } from '../properties/twin/random.js';

const HOUR = 3_600_000;
export const START = Date.UTC(2027, 0, 1);
export const USERS = ['ada', 'bob', 'eve'];

/** A limiter in memory on a clock, and exports of it. */
export interface BillingScene {
  readonly store: Store;
  readonly limiter: Limiter<string>;
  readonly now: () => number;
  /** Passes so long that the hour before is due. */
  readonly hour: () => void;
  readonly advance: (milliseconds: number) => void;
  readonly running: UsageExport;
}

export function billingScene(sink: UsageSink, label = (user: string): string | undefined => user): BillingScene {
  let now = START;
  const store = memoryStore({ clock: () => now });
  const limiter = createLimiter<string>({
    store,
    tiers: [
      {
        name: 'day',
        key: (user) => user,
        label,
        algorithm: 'fixed-window',
        limit: 1e6,
        window: '60d',
        usage: usage(),
      },
    ],
  });
  const advance = (milliseconds: number) => void (now += milliseconds);
  return {
    store,
    limiter,
    now: () => now,
    advance,
    hour: () => advance(HOUR + 300_000),
    running: exportUsage(store, { sink }),
  };
}

/** Charges users, settles some of it late, and exports meanwhile. Resolves with the units of each user. */
export async function useAndExport(
  { limiter, hour, running }: BillingScene,
  steps: number,
): Promise<Map<string, number>> {
  const random = new Random(5);
  const units = new Map(USERS.map((user) => [user, 0]));
  const open: (() => Promise<void>)[] = [];
  for (let step = 0; step < steps; step += 1) {
    const user = USERS[step % USERS.length]!;
    const cost = random.integer(1, 9);
    const decision = await limiter.consume(user, { cost });
    const add = (more: number) => units.set(user, units.get(user)! + more);
    add(cost);
    if (random.chance(0.4)) {
      const kept = random.integer(0, cost - 1);
      open.push(async () => {
        await limiter.settle(decision, kept);
        add(kept - cost);
      });
    }
    if (random.chance(0.2)) hour();
    if (random.chance(0.3)) await open.shift()?.();
    if (random.chance(0.4)) await running.run();
  }
  for (const settle of open) await settle();
  hour();
  return units;
}
