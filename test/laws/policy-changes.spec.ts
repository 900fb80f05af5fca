import type { Inspection, Limiter, Store } from '@sluice/core';
import { fair } from '@sluice/overload/fair';
import { creditsOf, quotas } from '@sluice/quotas';
import * as fc from 'fast-check';
import { changesOf } from '../../packages/policies/src/operations/changes.js';
import { readDocument } from '../../packages/policies/src/document/read-document.js';
import { LiveLimiters } from '../../packages/policies/src/live-limiters.js';
import { noOverrides } from '../../packages/policies/src/override-source.js';
import { page } from '../docs/pages.js';
import { withRedis } from '../support/redis-store.js';
import { newUser } from './law.js';
import { memoryPlace, redisPlace, type Place } from './places.js';
import { missingFromPairs, optionsOfShape, textOf, type FileLimiters, type FileTier } from './policy-options.js';
import { policyPairs, type PolicyPair } from './policy-pairs.js';

/** Pairs in memory. On Redis, where each takes longer, a tenth of them. `npm run tool -- laws` sets more. */
const RUNS = 200 * Number(process.env['SLUICE_LAW_RUNS'] ?? 1);

interface Subject {
  readonly ip: string;
  readonly tenant: string;
  readonly plan: string;
  readonly headers: Readonly<Record<string, string>>;
}

const context = {
  keys: { tenant: ({ tenant }: Subject) => tenant },
  plans: ({ plan }: Subject) => plan,
  features: [quotas, fair],
};
const read = (limiters: FileLimiters) => readDocument<Subject>('limits', textOf(limiters), context);
const readAsTool = (limiters: FileLimiters) =>
  readDocument<never>('limits', textOf(limiters), {
    keys: {},
    plans: undefined,
    features: [quotas, fair],
    takesAnyName: true,
  });

const BLOCKER = 'blocker';
let addresses = 0;

function newSubject(): Subject {
  addresses += 1;
  const user = newUser();
  const ip = `2001:db8:${Math.floor(addresses / 65_536).toString(16)}:${(addresses % 65_536).toString(16)}::1`;
  return { ip, tenant: user, plan: 'free', headers: { 'x-user': user } };
}

describe('what `sluice policies diff` says', () => {
  it('is tried with every algorithm, and with every option of each', () => {
    expect(missingFromPairs()).toEqual([]);
  });

  it('is in the reference: the table names each option that begins with new counts, and no other', () => {
    const { text } = page('docs/reference/policies.md');
    const [, options = ''] = /^\| (`key`.*?) +\| new counts/m.exec(text) ?? [];

    expect(options.replaceAll('`', '').split(', ').toSorted()).toEqual([...optionsOfShape()].toSorted());
  });

  describe('in memory', () => {
    holds(() => memoryPlace(), RUNS);
  });

  describe('on Redis', () => {
    const opened = withRedis();
    holds(() => redisPlace(opened.client), RUNS / 10);
  });
});

function holds(newPlace: () => Place, runs: number): void {
  let place: Place;

  beforeEach(() => {
    place = newPlace();
    const begun = performance.now() - place.clock();
    jest.spyOn(performance, 'now').mockImplementation(() => begun + place.clock());
    jest.spyOn(Date, 'now').mockImplementation(() => Math.floor(place.clock()));
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await place.close();
  });

  it(
    'is what happens: counts are kept exactly where it says so, and a text is refused exactly where it says so',
    async () => {
      const property = fc.asyncProperty(policyPairs, (pair) => check(pair, place.newStore()));

      await expect(fc.assert(property, { numRuns: runs, includeErrorInReport: true })).resolves.toBeUndefined();
    },
    30_000 + 500 * runs,
  );
}

async function check({ before, after }: PolicyPair, store: Store): Promise<void> {
  const changes = changesOf(readAsTool(before), readAsTool(after));
  const process = new Process(before, store);
  const [used, fresh] = [newSubject(), newSubject()];
  try {
    await process.use(used);
    const refusal = process.replace(before, after);
    expect({ isRefused: changes.some(({ what }) => what.includes('refuse')) }).toEqual({
      isRefused: refusal !== undefined,
    });
    if (refusal !== undefined) return;
    const kept = await process.kept(after, used, fresh);
    for (const [tier, isKept] of kept) {
      const own = changes.filter(({ of }) => of === tier);
      const said = own.every(({ effect }) => effect.includes('counts kept'));
      expect({ tier, own, says: said ? 'kept' : 'new' }).toEqual({ tier, own, says: isKept ? 'kept' : 'new' });
    }
  } finally {
    await process.close();
  }
}

/** A process of a fleet, with all limiters of its file on one store. */
class Process {
  readonly #live: LiveLimiters<Subject>;
  readonly #limiters = new Map<string, Limiter<Subject>>();
  readonly #store: Store;

  constructor(before: FileLimiters, store: Store) {
    this.#store = store;
    this.#live = new LiveLimiters(read(withBlockers(shown(before))), { source: noOverrides, secret: undefined });
    for (const name of Object.keys(before)) this.#create(name);
  }

  /** Leaves a state in each tier. */
  async use(subject: Subject): Promise<void> {
    for (const limiter of this.#limiters.values()) {
      const inspections = await limiter.inspect(subject);
      for (const { outcome, policy } of inspections) {
        if (policy.algorithm.neverRefills)
          await creditsOf(limiter).credit(subject, 50, { id: 'one', tier: outcome.tier });
      }
      // The blocker denies the last two, for tiers that count denied requests.
      for (let request = 0; request < 3; request += 1) await limiter.consume(subject);
      if (inspections.some(({ policy }) => policy.algorithm.chargesNobody)) await limiter.pause(subject, '1h');
    }
  }

  /** Puts the second file in the place of the first. Returns why it is refused. */
  replace(before: FileLimiters, after: FileLimiters): string | undefined {
    this.#live.replace(read(before));
    try {
      this.#live.replace(read(after));
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  }

  /** Whether each tier has the state of the file before: whether it answers a client that has used it as one that has not. */
  async kept(after: FileLimiters, used: Subject, fresh: Subject): Promise<ReadonlyMap<string, boolean>> {
    // A tier that is off, or allows nothing, shows its counts at another limit.
    this.#live.replace(read(shown(after)));
    const kept = new Map<string, boolean>();
    for (const [name, tiers] of Object.entries(after)) {
      const limiter = this.#limiters.get(name) ?? this.#create(name);
      const looks = await Promise.all([used, fresh].map((each) => limiter.inspect(each)));
      for (const tier of tiers) {
        const [one, other] = looks.map((each) => factsOf(each, tier.name));
        kept.set(`${name}/${tier.name}`, one !== other);
      }
    }
    return kept;
  }

  async close(): Promise<void> {
    for (const limiter of this.#limiters.values()) await limiter.close();
  }

  #create(name: string): Limiter<Subject> {
    const limiter = this.#live.create(name, { store: this.#store, denyCache: false });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

function factsOf(inspections: readonly Inspection[], name: string): string {
  const { outcome, terms } = inspections.find((each) => each.outcome.tier === name)!;
  return JSON.stringify({ outcome, terms });
}

/** The same tiers, of which each applies to every client alike and admits some requests. */
function shown(limiters: FileLimiters): FileLimiters {
  return changed(limiters, ({ mode, enforce: _part, ...tier }) => ({
    ...tier,
    ...(mode !== 'off' && mode !== undefined && { mode }),
    ...(tier['limit'] === 0 || tier['limit'] === null ? { limit: 5 } : {}),
  }));
}

function changed(limiters: FileLimiters, change: (tier: FileTier) => object): FileLimiters {
  const entries = Object.entries(limiters).map(([name, tiers]) => [name, tiers.map(change)]);
  return Object.fromEntries(entries) as FileLimiters;
}

/** With a tier beside the others that denies from the second request on. */
function withBlockers(limiters: FileLimiters): FileLimiters {
  const entries = Object.entries(limiters).map(([name, tiers]) => [
    name,
    [...tiers, { name: `${BLOCKER} ${name}`, key: 'ip', limit: 1, window: '30d' }],
  ]);
  return Object.fromEntries(entries) as FileLimiters;
}
