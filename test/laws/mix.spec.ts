import * as fc from 'fast-check';
import { createLimiter, type Decision, type Limiter, type Notice, type Store } from '@sluice/core';
import { overridesOf } from '@sluice/policies/overrides';
import { creditsOf, usageOf } from '@sluice/quotas';
import { withRedis } from '../support/redis-store.js';
import { newUser } from './law.js';
import {
  identityOf,
  mixes,
  tiersOf,
  USERS,
  type Caller,
  type Correction,
  type Mix,
  type MixedTier,
  type Step,
} from './mix.js';
import { memoryPlace, redisPlace, type Place } from './places.js';

/** Mixes. `npm run tool -- laws` sets more. */
const RUNS = 20 * Number(process.env['SLUICE_LAW_RUNS'] ?? 1);
const HOUR = 3_600_000;

describe('a limiter that mixes features', () => {
  const opened = withRedis();
  let place: Place;

  beforeEach(() => {
    place = redisPlace(opened.client);
    const begun = performance.now() - place.clock();
    jest.spyOn(performance, 'now').mockImplementation(() => begun + place.clock());
    jest.spyOn(Date, 'now').mockImplementation(() => Math.floor(place.clock()));
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await place.close();
  });

  it(
    'decides, corrects, counts and gives notice on Redis as in memory',
    async () => {
      const property = fc.asyncProperty(mixes, agree);

      const run = fc.assert(property, { numRuns: RUNS, includeErrorInReport: true });

      await expect(run).resolves.toBeUndefined();
    },
    30_000 + 1_000 * RUNS,
  );

  async function agree(mix: Mix): Promise<void> {
    const world = newUser();
    const near = memoryPlace(place.clock);
    const redis = new MixedLimiter(mix, world, place.newStore());
    const memory = new MixedLimiter(mix, world, near.newStore());
    for (const [index, step] of mix.history.entries()) {
      if (step.kind === 'wait') {
        place.clock.advance(step.milliseconds);
        continue;
      }
      const answer = await redis.take(step);
      expect({ index, step, ...answer }).toEqual({ index, step, ...(await memory.take(step)) });
    }
    expect(await redis.look()).toEqual(await memory.look());
    await near.close();
  }
});

/** A mix in one store. */
class MixedLimiter {
  readonly #tiers: readonly MixedTier[];
  readonly #world: string;
  readonly #limiter: Limiter<Caller>;
  /** Admitted, and not settled or refunded. */
  readonly #open: Decision[] = [];
  readonly #notices: Notice[] = [];
  #credits = 0;

  constructor(mix: Mix, world: string, store: Store) {
    this.#tiers = mix.tiers;
    this.#world = world;
    this.#limiter = createLimiter<Caller>({
      store,
      tiers: tiersOf(mix, world),
      onStoreFailure: 'deny',
      denyCache: false,
      onNotice: (notice) => void this.#notices.push(notice),
    });
  }

  /** Returns what a step was answered, which may be an error, and its notices. */
  async take(step: Step): Promise<object> {
    const answer = await this.#act(step).catch((error: unknown) => String(error));
    return { answer, notices: this.#notices.splice(0) };
  }

  /**
   * What the tiers have of each client. Not `recorded` and `isStored`: Redis stores the strings of a state that a refund has
   * emptied until their end, and memory stores a state without strikes.
   */
  look(): Promise<object> {
    return Promise.all(
      USERS.map(async (user) => {
        const usage = this.#tiers.some((tier) => tier.usage) ? await usageOf(this.#limiter).read({ user }) : [];
        const inspections = await this.#limiter.inspect({ user });
        return { usage, tiers: inspections.map(({ outcome, terms }) => ({ outcome, terms })) };
      }),
    );
  }

  async #act(step: Step): Promise<unknown> {
    if (step.kind === 'wait') return undefined;
    if ('which' in step) return this.#correct(step);
    if (step.kind === 'override') return this.#override(step);
    const { kind, user, units } = step;
    const limiter = this.#limiter;
    if (kind === 'reset') return limiter.reset({ user });
    if (kind === 'pause') return limiter.pause({ user }, `${1 + units * 5}s`);
    if (kind === 'credit') return creditsOf(limiter).credit({ user }, 1 + units * 2, { id: `${(this.#credits += 1)}` });
    if (kind === 'reconcile')
      return creditsOf(limiter).reconcile({ user }, units, { asOf: Date.now() - (Date.now() % HOUR) });
    const decision = await limiter.consume({ user }, { cost: units });
    if (decision.allowed) this.#open.push(decision);
    return factsOf(decision);
  }

  async #correct({ kind, which, tier, units }: Correction): Promise<unknown> {
    const limiter = this.#limiter;
    const place = this.#open.length - 1 - (which % this.#open.length);
    const decision = this.#open[place];
    if (decision === undefined) return undefined;
    if (kind === 'release') return limiter.release(decision);
    if (kind === 'extend') return factsOf(await limiter.extend(decision, { [tier ?? 't0']: units }));
    this.#open.splice(place, 1);
    return limiter[kind](decision, tier === undefined ? units : { [tier]: units });
  }

  #override({ user, tier: name, limit }: Extract<Step, { kind: 'override' }>): void {
    const tier = this.#tiers.find((each) => each.name === name);
    // A bucket whose limit moves is rounded, as the kinds with `rounds` are.
    if (tier === undefined || (tier.algorithm?.endsWith('bucket') && limit)) return;
    const identity = identityOf(tier, this.#world, user);
    overridesOf(this.#limiter).set({ tier: name, identity, limit, reason: 'a law' });
  }
}

function factsOf({ reason, paidBy, deniedBy, demotedBy, retryAfter, delay, outcomes }: Decision): unknown {
  return { reason, paidBy, deniedBy, demotedBy, retryAfter, delay, outcomes };
}
