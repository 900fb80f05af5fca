import {
  createLimiter,
  type Decision,
  type Limiter,
  type Notice,
  type Outcome,
  type Store,
  type Tier,
} from '@sluice/core';
import { overridesOf } from '@sluice/policies/overrides';
import type { FakeClock } from '@sluice/testing';
import { creditsOf, fund, spentOf, TESTED, testedTier, tiersBeside, usageOf } from './quota.js';
import type { Caller, Kind } from './kinds.js';

/** The tier beside the one under test, which denies some requests. On a Cluster each has a slot of its own. */
export const BLOCKER = 'blocker';
/** What the other tier admits of a caller that is blocked. */
const BLOCKED_AFTER = 1_000_000;

/** A request. */
export interface Ask {
  readonly kind: 'ask';
  readonly cost: number;
  /** Whether the tier beside it denies. */
  readonly blocked: boolean;
  /** The place of its limit among those that take turns. */
  readonly limit: number;
  /** Whether its client waits for its `retryAfter`, and then asks again. */
  readonly waits: boolean;
}

/** One step of a history. */
export type Step =
  | Ask
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'end'; readonly which: number };

/** A limiter of one kind on one store, one caller, and what it was answered. */
export class World {
  readonly limiter: Limiter<Caller>;
  /** In their order. */
  readonly notices: Notice[] = [];
  readonly #kind: Kind;
  readonly #user: string;
  /** Of admitted requests whose permits run. */
  readonly #running: Decision[] = [];
  readonly #funded: Promise<unknown>;

  constructor(kind: Kind, store: Store, { user, denyCache = true }: { user: string; denyCache?: boolean }) {
    this.#kind = kind;
    this.#user = user;
    const tiers = [testedTier(kind), ...tiersBeside(kind), blockerTier];
    this.limiter = createLimiter<Caller>({
      store,
      tiers: kind.plans ? () => tiers : tiers,
      onStoreFailure: 'deny',
      denyCache,
      onNotice: (notice) => void this.notices.push(notice),
    });
    this.#funded = fund(this.limiter, kind, this.#self);
  }

  /** Uses up the other tier, for blocked requests. */
  async block(): Promise<void> {
    await this.limiter.consume({
      ...this.#caller(0, 0),
      user: this.#user,
      blocked: true,
      units: BLOCKED_AFTER,
    } as Caller);
  }

  /** @param limit the place of a limit among those that take turns */
  async ask(cost: number, limit = 0, blocked = false): Promise<Decision> {
    await this.#funded;
    const decision = await this.limiter.consume({ ...this.#caller(cost, limit), blocked });
    this.#keep([decision]);
    return decision;
  }

  /** Makes requests at once, so that they share a call where there are calls. */
  async askAtOnce(requests: readonly Ask[]): Promise<readonly Decision[]> {
    await this.#funded;
    const answers = requests.map(({ cost, limit, blocked }) =>
      this.limiter.consume({ ...this.#caller(cost, limit), blocked }),
    );
    const decisions = await Promise.all(answers);
    this.#keep(decisions);
    return decisions;
  }

  /** Ends a request that runs: what is held comes back. */
  async end(which: number): Promise<number> {
    if (this.#running.length === 0) return 0;
    const [decision] = this.#running.splice(which % this.#running.length, 1);
    return this.limiter.release(decision!);
  }

  /** What the tier under test says of one unit now, without a change. */
  async look(limit = 0): Promise<Outcome> {
    await this.#funded;
    return outcomeOf(await this.limiter.peek(this.#caller(1, limit)));
  }

  /** Units that the tier under test and its credits have counted. */
  spent(): Promise<number> {
    return spentOf(this.limiter, this.#kind, this.#self);
  }

  /** Units that are counted as usage, by the hour. */
  usage(): Promise<ReadonlyMap<number, number>> {
    return usageOf(this.limiter, this.#kind, this.#self);
  }

  /** What is stored beside the state of the tier under test. */
  async beside(): Promise<unknown> {
    await this.#funded;
    return [await creditsOf(this.limiter, this.#kind, this.#self), await this.usage()];
  }

  /** The caller, for calls that charge nothing. */
  get #self(): Caller {
    return { user: this.#user, cost: 0, limit: 0, blocked: false };
  }

  #keep(decisions: readonly Decision[]): void {
    this.#running.push(...decisions.filter(({ allowed }) => allowed));
  }

  #caller(cost: number, limit: number): Caller {
    const { limits = [0], overrides } = this.#kind;
    const max = limits[limit % limits.length]!;
    if (overrides) overridesOf(this.limiter).set({ tier: TESTED, identity: this.#user, limit: max, reason: 'a law' });
    return { user: this.#user, cost, limit: max, blocked: false };
  }
}

/** What the tier under test says. */
export function outcomeOf({ outcomes }: Decision): Outcome {
  return outcomes.find(({ tier }) => tier === TESTED)!;
}

/** Expects the same outcome, of a kind that rounds within a millisecond. */
export function expectAlike({ rounds }: Kind, one: Outcome, other: Outcome): void {
  if (!rounds) return expect(one).toEqual(other);
  const unitsOf = ({ remaining, replenishAfter }: Outcome) => remaining + (replenishAfter === 1 ? 1 : 0);
  const isWithin = (a: number, b: number, most: number) => expect(Math.abs(a - b)).toBeLessThanOrEqual(most);
  isWithin(one.resetAfter, other.resetAfter, 1);
  if (one.remaining === other.remaining) isWithin(one.replenishAfter, other.replenishAfter, 1);
  else expect(Math.max(unitsOf(one), unitsOf(other))).toBe(Math.max(one.remaining, other.remaining));
}

/** Takes one step. Resolves with the decision of a request. */
export async function take(world: World, clock: FakeClock, step: Step): Promise<Decision | undefined> {
  if (step.kind === 'ask') return world.ask(step.cost, step.limit, step.blocked);
  if (step.kind === 'wait') clock.advance(step.milliseconds);
  else await world.end(step.which);
  return undefined;
}

const blockerTier = {
  name: BLOCKER,
  algorithm: 'fixed-window',
  limit: BLOCKED_AFTER,
  window: '30d',
  key: ({ user, blocked }: Caller) => ({ kind: BLOCKER, parts: [user, blocked ? 'blocked' : 'free'] }),
  cost: ({ units = 1 }: Caller & { units?: number }) => units,
} as Tier<Caller>;
