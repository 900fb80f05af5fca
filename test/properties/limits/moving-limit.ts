import { definePolicy } from '@sluice/core';
import { peekGroup } from '../../../packages/core/src/algorithms/group.js';
import { TierDefinition } from '../../../packages/core/src/limiter/tiers/tier-definition.js';
import type { Tier } from '../../../packages/core/src/limiter/tiers/tier.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import type { Ruling } from '../../../packages/core/src/model/ruling.js';
import { claim, newTag } from '../../support/claim.js';
import { KeyStates } from '../../support/key-states.js';
import type { RedisTwin } from '../twin/redis-twin.js';

/** A tier whose limit moves, and what the highest of its limits allows. */
export interface MovingLimit {
  readonly name: string;
  policyAt(limit: number): Policy;
  /** Units at one moment. */
  atOnce(limit: number): number;
  /** Units in any window. */
  inWindow(limit: number): number;
}

/** The window of every kind, in microseconds. */
export const WINDOW = 3_600_000_000;

const BURST = 10;
const ofBurst = () => BURST;
const same = (limit: number) => limit;
/** A ring admits less than twice its limit in any window, a log its limit. */
const ofSlots = (limit: number) => (limit > 64 ? 2 * limit - 1 : limit);

export const MOVING_LIMITS: readonly MovingLimit[] = [
  kind('fixed-window', { algorithm: 'fixed-window' }, same, (limit) => 2 * limit),
  kind('fixed-window by the clock', { algorithm: 'fixed-window', anchor: 'clock' }, same, (limit) => 2 * limit),
  kind('sliding-window', {}, same, ofSlots),
  kind('sliding-window of 10 slots', { precision: 10 }, same, ofSlots),
  kind('sliding-window, strict', { strict: true }, same, same),
  kind('sliding-window-log', { algorithm: 'sliding-window-log' }, same, same),
  kind('token-bucket', { algorithm: 'token-bucket' }, same, (limit) => 2 * limit),
  kind('token-bucket with a burst', { algorithm: 'token-bucket', burst: BURST }, ofBurst, (limit) => limit + BURST),
  kind('token-bucket with an overdraft', { algorithm: 'token-bucket', overdraft: BURST }, same, (limit) => 2 * limit),
  kind('leaky-bucket', { algorithm: 'leaky-bucket', queue: BURST - 1 }, ofBurst, (limit) => limit + BURST),
  kind('concurrency', { algorithm: 'concurrency', window: undefined, hold: '1h' }, same, same),
  kind(
    'backoff',
    { algorithm: 'backoff', delays: ['1m'], forgive: 'one' },
    (limit) => limit + 1,
    (limit) => limit + 61,
  ),
  {
    name: 'multi-window',
    policyAt: (limit) => definePolicy({ algorithm: 'multi-window', windows: twoWindows(limit) }),
    atOnce: same,
    inWindow: (limit) => 2 * limit - 1,
  },
];

function twoWindows(limit: number) {
  return [
    { limit, window: '1h' },
    { limit, window: '10m' },
  ] as const;
}

function kind(
  name: string,
  options: object,
  atOnce: (limit: number) => number,
  inWindow: (limit: number) => number,
): MovingLimit {
  const tier = { name: 'moving', key: () => 'a', window: '1h', ...options, limit: () => 1 } as unknown as Tier<object>;
  const definition = new TierDefinition(tier, 'moving', {
    owner: 'limiter',
    prefix: 'rl',
    secret: undefined,
    defaults: {},
  });
  return { name, policyAt: (limit) => definition.policyAt(limit), atOnce, inWindow };
}

/** One key, on the clock of a test in microseconds. */
export interface Key {
  take(policy: Policy, cost: number, now: number): Promise<Ruling>;
  look(policy: Policy, now: number): Promise<Ruling>;
}

export function keyInMemory(): Key {
  const states = new KeyStates();
  const { claimOf } = claims();
  return {
    take: (policy, cost, now) => Promise.resolve(states.decide([claimOf(policy, cost)], now)[0]!),
    look: (policy, now) => Promise.resolve(states.decide([claimOf(policy, 1)], now, peekGroup)[0]!),
  };
}

export function keyInRedis(twin: RedisTwin): Key {
  const { claimOf } = claims();
  const decide = async (policy: Policy, cost: number, now: number, peek: boolean) => {
    const { result } = await twin.consume([{ claims: [claimOf(policy, cost)], peek }], now);
    return result[0]![0]!;
  };
  return {
    take: (policy, cost, now) => decide(policy, cost, now, false),
    look: (policy, now) => decide(policy, 1, now, true),
  };
}

function claims() {
  const tag = newTag();
  let permits = 0;
  const claimOf = (policy: Policy, cost: number): Claim => {
    permits += 1;
    return claim({ policy, cost, tag, ...(policy.algorithm.endsWithRequest && { name: `p${permits}` }) });
  };
  return { claimOf };
}
