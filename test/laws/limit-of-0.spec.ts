import {
  createLimiter,
  memoryStore,
  tracksOf,
  type Decision,
  type Inspection,
  type Limiter,
  type Outcome,
  type Store,
  type Tier,
} from '@sluice/core';
import { overridesOf } from '@sluice/policies/overrides';
import * as fc from 'fast-check';
import { QuotaReport } from '../../packages/http/src/headers/quota-report.js';
import { violationOf } from '../../packages/http/src/problem/violation.js';
import { problemOf } from '../../packages/http/src/problem/problem.js';
import { FailingStore, rejects, unavailable } from '../support/failing-store.js';
import { KINDS, type Kind } from './kinds.js';
import { newUser } from './law.js';
import { memoryPlace, onEveryPlace, type Place } from './places.js';

/** A request. The limit of the tier under test is that of its kind while the tier is open, and else 0. */
interface Asking {
  readonly user: string;
  readonly cost: number;
  readonly isOpen: boolean;
}

interface Step {
  /** Milliseconds before the request. */
  readonly after: number;
  readonly cost: number;
  readonly isOpen: boolean;
}

/** The tiers beside the one under test, and whether that one is in shadow. */
interface Shape {
  readonly beside: readonly Tier<Asking>[];
  readonly isShadow: boolean;
}

const TESTED = 'tested';
const BLOCKER = 'blocker';
const window = '10m';

/** Every algorithm and option, but for limits that take turns already. A backoff of 0 admits a request, and blocks after it. */
const TRIED = KINDS.filter(({ limits, plans, overrides, credits, options: { algorithm, mode } }) => {
  const isPlain = limits === undefined && !plans && !overrides && credits === undefined;
  return isPlain && mode === undefined && algorithm !== 'backoff';
});

/** On a Cluster each tier has a slot of its own. */
function tier(name: string, options: object): Tier<Asking> {
  const key = ({ user }: Asking) => ({ kind: name, parts: [user] });
  return { name, key, cost: ({ cost }: Asking) => cost, ...options } as unknown as Tier<Asking>;
}

const BESIDE: readonly Tier<Asking>[] = [
  tier('rate', { algorithm: 'fixed-window', limit: 20, window }),
  tier('bucket', { algorithm: 'token-bucket', limit: 60, window, burst: 20 }),
  tier('tries', { limit: 30, window, charge: 'all' }),
  tier('ban', { algorithm: 'backoff', limit: 6, window, delays: ['5s'], charge: 'denied' }),
  tier('permits', { algorithm: 'concurrency', limit: 80, hold: '1h' }),
  tier('watching', { limit: 9, window, mode: 'shadow' }),
];
/** Denies what costs something, as a limit of 0 does. */
const blocker = tier(BLOCKER, { algorithm: 'fixed-window', limit: 1, window, cost: ({ cost }: Asking) => 2 * cost });
const free = tier('free', { algorithm: 'fixed-window', limit: 1e6, window });

/** A limiter with a tier of one kind, whose limit is 0 for some requests: by a function, or by an override where it has no limit. */
class Tried {
  readonly limiter: Limiter<Asking>;
  readonly #kind: Kind;
  readonly #isShadow: boolean;
  readonly #hasLimit: boolean;

  constructor(kind: Kind, store: Store, { beside, isShadow }: Shape) {
    const { limit, algorithm } = kind.options as { limit?: number; algorithm?: string };
    this.#kind = kind;
    this.#isShadow = isShadow;
    this.#hasLimit = limit !== undefined;
    const options = {
      ...kind.options,
      ...(limit !== undefined && { limit: ({ isOpen }: Asking) => (isOpen ? limit : 0) }),
      ...(algorithm === 'pause' && { cost: undefined }),
      ...(isShadow && { mode: 'shadow' }),
    };
    const defined = Object.entries(tier(TESTED, options)).filter(([, value]) => value !== undefined);
    const tested = Object.fromEntries(defined) as unknown as Tier<Asking>;
    this.limiter = createLimiter<Asking>({ store, tiers: [...beside, tested], denyCache: false });
  }

  async ask(asking: Asking): Promise<Decision> {
    this.#override(asking);
    return this.limiter.consume(asking);
  }

  async look(user: string): Promise<readonly Outcome[]> {
    const asking = { user, cost: 1, isOpen: true };
    this.#override(asking);
    return (await this.limiter.peek(asking)).outcomes;
  }

  /** What an operator sees at a limit of 0. */
  async inspect(user: string): Promise<Inspection> {
    const asking = { user, cost: 1, isOpen: false };
    this.#override(asking);
    return (await this.limiter.inspect(asking, { tiers: [TESTED] }))[0]!;
  }

  /** The units that a request asks of the tier: a pause asks each request. */
  unitsOf(cost: number): number {
    return this.#kind.options.algorithm === 'pause' ? 1 : cost;
  }

  /** What the tier says at a limit of 0, whatever it has counted. */
  outcomeOfZero(cost: number): Outcome {
    const isDenied = this.unitsOf(cost) > 0;
    return {
      tier: TESTED,
      allowed: !isDenied,
      never: isDenied,
      shadow: this.#isShadow,
      limit: 0,
      remaining: 0,
      retryAfter: isDenied ? Infinity : 0,
      replenishAfter: 0,
      resetAfter: 0,
      delay: 0,
      ...(this.#kind.options.algorithm === 'concurrency' && { held: true }),
      ...(!this.#hasLimit && { override: {} }),
    };
  }

  #override({ user, isOpen }: Asking): void {
    if (this.#hasLimit) return;
    const named = { tier: TESTED, identity: { kind: TESTED, parts: [user] } };
    if (isOpen) overridesOf(this.limiter).remove(named);
    else overridesOf(this.limiter).set({ ...named, limit: 0, reason: 'a law' });
  }
}

const outcomesOf = ({ outcomes }: Decision, tiers: readonly Tier<Asking>[]) =>
  outcomes.filter((outcome) => tiers.some(({ name }) => name === outcome.tier));
const namesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ tier: name }) => name);

const TESTED_ALONE = [tier(TESTED, {})];

function factsOf(decision: Decision, beside: readonly Tier<Asking>[]) {
  const { outcomes, allowed, retryAfter, source } = decision;
  return {
    own: outcomesOf(decision, TESTED_ALONE)[0],
    beside: outcomesOf(decision, beside),
    order: namesOf(outcomes),
    isAdmitted: allowed,
    isNever: retryAfter === Infinity,
    source,
  };
}

async function compare(kind: Kind, place: Place, source: string, steps: readonly Step[], shape: Shape): Promise<void> {
  const { beside, isShadow } = shape;
  const user = newUser();
  const near = memoryPlace(place.clock).newStore();
  const tried = new Tried(kind, place.newStore(), shape);
  // This one sees no request at a limit of 0, and another tier denies those beside it.
  const spared = new Tried(kind, near, shape);
  const blocked = createLimiter<Asking>({ store: near, tiers: [...beside, blocker] });
  const admitted = createLimiter<Asking>({ store: near, tiers: [...beside, free] });
  for (const { after, cost, isOpen } of steps) {
    place.clock.advance(after);
    const asking = { user, cost, isOpen };
    const decision = await tried.ask(asking);
    const isDenied = !isOpen && tried.unitsOf(cost) > 0 && !isShadow;
    const other = await (isOpen ? spared.ask(asking) : (isDenied ? blocked : admitted).consume(asking));
    const [own] = isOpen ? outcomesOf(other, TESTED_ALONE) : [tried.outcomeOfZero(cost)];
    const order = namesOf(await tried.look(user));
    expect(factsOf(decision, beside)).toEqual({
      own,
      beside: outcomesOf(other, beside),
      order,
      isAdmitted: !isDenied && other.allowed,
      isNever: isDenied || other.reason === 'never',
      // A process that holds the whole limit of an open tier denies by itself.
      source: isOpen ? decision.source : beside.length === 0 ? 'none' : source,
    });
    expect(await tried.look(user)).toEqual(await spared.look(user));
  }
  // Another run has other tiers of these names.
  for (const limiter of [tried.limiter, spared.limiter, blocked, admitted]) await limiter.close();
}

const steps = fc.array(
  fc.record({
    after: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 })),
    cost: fc.integer({ min: 0, max: 2 }),
    isOpen: fc.boolean(),
  }),
  { minLength: 6, maxLength: 8 },
);
const shapes = fc.record({ beside: fc.subarray([...BESIDE]), isShadow: fc.constantFrom(false, false, true) });
/** `npm run tool -- laws` sets more, of every kind on every place. */
const WANTED = process.env['SLUICE_LAW_RUNS'];
const RUNS = Number(WANTED ?? 1);

onEveryPlace((newPlace, name) => {
  let place: Place;

  beforeEach(() => {
    place = newPlace();
    const begun = performance.now() - place.clock();
    jest.spyOn(performance, 'now').mockImplementation(() => begun + place.clock());
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await place.close();
  });

  const turn = ['redis', 'cluster'].indexOf(name);
  const kinds = TRIED.filter((_, index) => WANTED !== undefined || turn < 0 || index % 2 === turn);

  it.each(kinds.map((kind) => [kind.name, kind] as const))(
    'denies for good what costs something at a limit of 0, and no tier has a trace of it: %s',
    async (_name, kind) => {
      const source = name === 'memory' ? 'memory' : 'redis';
      const property = fc.asyncProperty(steps, shapes, (all, shape) => compare(kind, place, source, all, shape));

      await expect(fc.assert(property, { numRuns: RUNS })).resolves.toBeUndefined();
    },
    30_000 + 5_000 * RUNS,
  );

  it('needs no store for a limit of 0 alone, and stores nothing', async () => {
    await place.newKeys?.();
    for (const kind of TRIED) {
      const tried = new Tried(kind, place.newStore(), { beside: [], isShadow: false });
      const user = newUser();
      for (const cost of [1, 0]) {
        const decision = await tried.ask({ user, cost, isOpen: false });
        expect(decision).toMatchObject({ source: 'none', degraded: false, outcomes: [tried.outcomeOfZero(cost)] });
        expect(await tried.limiter.refund(decision)).toBe(0);
        const [track] = tracksOf(await tried.ask({ user, cost: 0, isOpen: true }));
        expect(tracksOf(decision)).toEqual([{ ...track, cost: tried.unitsOf(cost) }]);
      }
      const seen = await tried.inspect(user);
      expect(seen).toMatchObject({ key: '', isStored: false, recorded: [], fitsAt: Infinity, terms: undefined });
      expect(seen.policy.algorithm.name).toBe(kind.options.algorithm ?? 'sliding-window');
      await tried.limiter.close();
    }
    expect((await place.newKeys?.()) ?? []).toEqual([]);
  });
});

describe('A limit of 0', () => {
  const windows: Readonly<Record<string, object>> = {
    'fixed-window of days': { window: 86_400 },
    'multi-window': { name: 'tested/15m', window: 900 },
    concurrency: { window: 3_600, isConcurrent: true },
    'concurrency that callers share': { window: 3_600, isConcurrent: true },
    pause: { window: 1 },
  };

  it.each(TRIED.map((kind) => [kind.name, kind] as const))('is told to clients by the tier: %s', async (name, kind) => {
    const tried = new Tried(kind, memoryStore(), { beside: [], isShadow: false });
    const decision = await tried.ask({ user: newUser(), cost: 1, isOpen: false });
    const decisions = [{ limiter: tried.limiter, decision }];
    const policy = { name: TESTED, quota: 0, window: 600, ...windows[name] };

    const { serviceLimits, remaining, resetSeconds } = QuotaReport.of(decisions)!;
    const { policies, told } = violationOf(decisions);

    expect(serviceLimits).toEqual([{ policy, remaining: 0, window: undefined }]);
    expect([remaining, resetSeconds, policies]).toEqual([0, 0, [policy.name]]);
    expect(problemOf(decision, policies, { told })).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'The request can never fit its limit. Retrying does not help.',
      'violated-policies': [policy.name],
    });
  });

  const MODES = ['local', 'allow', 'deny'] as const;
  const outages = MODES.flatMap((mode) =>
    MODES.flatMap((own) => [false, true].map((isShadow) => [mode, own, isShadow] as const)),
  );

  it.each(outages)(
    'is known without the store, where the other tier has onStoreFailure %s and its own %s, in shadow: %s',
    async (mode, own, isShadow) => {
      jest.spyOn(process, 'emitWarning').mockImplementation();
      const store = new FailingStore();
      const rate = tier('rate', { algorithm: 'fixed-window', limit: 20, window, onStoreFailure: mode });
      const shadow = isShadow && { mode: 'shadow' };
      const zero = tier(TESTED, { limit: () => 0, window, onStoreFailure: own, ...shadow });
      const limiter = createLimiter<Asking>({ store, tiers: [rate, zero] });
      store.failure = rejects(unavailable);
      const told = async (cost: number, call: 'peek' | 'consume') => {
        const { reason, source, degraded, outcomes } = await limiter[call]({ user: 'ada', cost, isOpen: false });
        return [reason, source, degraded, outcomes.map((each) => [each.tier, each.remaining, each.never])];
      };

      const source = mode === 'local' ? 'local' : 'none';
      const expected = (cost: number, left: number) => {
        const never = cost > 0;
        const isDenied = never && !isShadow;
        if (mode === 'deny' && !isDenied) return ['unavailable', 'none', true, []];
        const others = mode === 'local' ? [['rate', left, false]] : [];
        return [isDenied ? 'never' : 'ok', source, true, [[TESTED, 0, never], ...others]];
      };
      const left = isShadow ? 19 : 20;

      expect(await told(0, 'consume')).toEqual(expected(0, 20));
      expect(await told(1, 'peek')).toEqual(expected(1, 20));
      expect(await told(1, 'consume')).toEqual(expected(1, left));
      jest.restoreAllMocks();
    },
  );

  it('denies at once, also where requests wait for a permit of another tier', async () => {
    const store = memoryStore();
    const permits = tier('permits', { algorithm: 'concurrency', limit: 1, wait: '1m' });
    const zero = tier(TESTED, { algorithm: 'fixed-window', window, limit: ({ isOpen }: Asking) => (isOpen ? 9 : 0) });
    const limiter = createLimiter<Asking>({ store, tiers: [permits, zero] });
    const asking = { user: 'ada', cost: 1, isOpen: true };
    await limiter.consume(asking);
    const waiting = Promise.resolve(limiter.consume(asking));

    const denied = await limiter.consume({ ...asking, isOpen: false });

    expect(denied).toMatchObject({ reason: 'never', deniedBy: [TESTED, 'permits'] });
    await limiter.close();
    expect((await waiting).allowed).toBe(false);
  });

  it('has no units for a settlement, and needs no identity', async () => {
    const store = memoryStore();
    const zero = tier(TESTED, { limit: () => 0, window, key: () => undefined });
    const limiter = createLimiter<Asking>({ store, tiers: [zero, tier('rate', { limit: 9, window })] });
    const decision = await limiter.consume({ user: 'ada', cost: 0, isOpen: false });

    expect(await limiter.settle(decision, { [TESTED]: 5, rate: 2 })).toBe(2);
    expect(store.size).toBe(1);
    expect(await limiter.consume({ user: 'ada', cost: 1, isOpen: false })).toMatchObject({ reason: 'never' });
  });
});
