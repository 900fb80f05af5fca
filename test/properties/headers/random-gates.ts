import type { IncomingMessage } from 'node:http';

import { createGate, memoryStore, type Gate, type PolicyOptions } from '@sluice/http';
import type { GatedLimiterOptions } from '@sluice/http/adapter';
import type { FakeClock } from '@sluice/testing';

import { RATES, randomPolicies, type RandomPolicy } from '../twin/random-policy.js';
import type { Random } from '../twin/random.js';

type RandomTier = PolicyOptions & { name: string };

/** Names that collide with generated ones, that look like parameters, and of full length. */
const NAMES = ['a', 'a-2', 'a/1s', ';q=1.5, b', '*', 'x'.repeat(64), 'z'];

/** One to three gates that a request passes; some share a limiter. `cost` returns the cost of a request. */
export function randomGates(random: Random, clock: FakeClock, cost: () => number): readonly Gate<IncomingMessage>[] {
  const gates: Gate<IncomingMessage>[] = [];
  for (let left = random.integer(1, 3); left > 0; left -= 1) {
    const before = gates.at(-1);
    gates.push(createGate({ ...limiterOptions(random, clock, before), headers: ['x-ratelimit', 'draft-11'], cost }));
  }
  return gates;
}

function limiterOptions(
  random: Random,
  clock: FakeClock,
  before: Gate<IncomingMessage> | undefined,
): GatedLimiterOptions<IncomingMessage> {
  if (before && random.chance(0.2)) return { limiter: before.limiter };
  return { store: memoryStore({ clock }), tiers: randomTiers(random) };
}

function randomTiers(random: Random): readonly RandomTier[] {
  const names = NAMES.toSorted(() => random.fraction() - 0.5).slice(0, random.integer(1, 3));
  const scale = random.pick([1_000, 60_000, 3_600_000, 86_400_000]);
  const tiers = names.map((name) => randomTier(random, name, scale));
  // A limiter has one queue at most.
  const queue = tiers.find((tier) => 'queue' in tier);
  return tiers.filter((tier) => !('queue' in tier) || tier === queue);
}

function randomTier(random: Random, name: string, scale: number): RandomTier {
  const [{ options }] = randomPolicies(random.pick(RATES), random, scale, 1) as readonly RandomPolicy[] as readonly [
    RandomPolicy,
  ];
  const {
    queued: _queued,
    moves: _moves,
    ...policy
  } = options as PolicyOptions & { queued?: boolean; moves?: boolean };
  return {
    ...policy,
    name,
    ...(random.chance(0.2) && { mode: 'shadow' }),
  };
}
