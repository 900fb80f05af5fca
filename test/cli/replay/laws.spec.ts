import type { Client } from '../../../packages/cli/src/replay/client.js';
import type { Demand } from '../../../packages/cli/src/replay/demand.js';
import { searchOf } from '../../../packages/cli/src/replay/limit-search.js';
import { proposalsOf, type Proposal } from '../../../packages/cli/src/replay/proposals.js';
import { stayersOf } from '../../../packages/cli/src/replay/stayers.js';
import type { ReplayTier } from '../../../packages/cli/src/replay/replayed-request.js';
import { demandOf, truthOf } from './demand-of.js';
import { population, POPULATIONS } from './populations.js';

/** `npm run tool -- laws` takes all. */
const LOGS = process.env['SLUICE_LAW_RUNS'] === undefined ? 1 : 20;
const SEEDS = Array.from({ length: LOGS }, (_, index) => index + 1);
const NAMES = Object.keys(POPULATIONS) as (keyof typeof POPULATIONS)[];
const TIERS = ['1m', '1h'].map((window) => ({ name: window, limit: 1, window }) as ReplayTier);
const { signal } = new AbortController();

interface Kept {
  readonly seed: number;
  readonly window: string;
  /** Really people, in the second log. */
  readonly denied: number;
  readonly mayDeny: number;
  /** As a part of the least limit that would have kept the promise on both logs. */
  readonly above: number;
}

interface Told {
  readonly seed: number;
  /** Of the requests, whose clients are told wrongly. */
  readonly wrong: number;
  /** What is taken for a person, and is none. */
  readonly strangers: readonly string[];
}

/** A log of a population, and the truth about its people. */
function logOf(name: keyof typeof POPULATIONS, seed: number) {
  const site = population(name, seed);
  const demand = demandOf(site);
  const truth = truthOf(site);
  return { demand, truth, people: demand.clients.filter((client) => truth(client) === 'person') };
}

function toldOf(seed: number, demand: Demand, truth: (client: Client) => string): Told {
  const wrong = demand.clients.filter((client) => client.kind !== truth(client));
  const requests = wrong.reduce((sum, client) => sum + demand.all.countOf(client), 0);
  const strangers = wrong.filter(({ kind }) => kind === 'person');
  return { seed, wrong: requests / demand.requests, strangers: strangers.map((client) => truth(client)) };
}

/** Tries what a log proposes on another one of the same population. */
async function keptOf(name: keyof typeof POPULATIONS, seed: number): Promise<readonly [Told, readonly Kept[]]> {
  const [first, second] = [logOf(name, seed), logOf(name, seed + 1_000)];
  const kept: Kept[] = [];
  let shorter: Proposal | undefined;
  for (const tier of TIERS) {
    const found = await proposalsOf({ selection: first.demand.selected, tier, below: undefined, shorter, signal });
    const proposal = (found as readonly Proposal[]).find(({ by }) => by === 'people')!;
    const { limit, mayDeny, window, isOfStayers } = proposal;
    const searches = [first, second].map(({ demand }) => searchOf(demand.selected, tier, signal));
    // Of an hour the promise is made to those who stay.
    const audiences = [first, second].map(({ demand, people }) =>
      isOfStayers ? stayersOf(people, { selection: demand.selected, shorter }, window) : people,
    );
    const least = await Promise.all(audiences.map((people, log) => searches[log]!.find(people, mayDeny)));
    const denied = await searches[1]!.deniedBy(audiences[1]!, limit);
    shorter = proposal;
    const above = limit / Math.max(...least.map((each) => each.limit));
    kept.push({ seed, window: `${window / 1e3}s`, denied: denied.length, mayDeny, above });
  }
  return [toldOf(seed, first.demand, first.truth), kept];
}

describe.each(NAMES)('what replay says of a %s', (name) => {
  let results: readonly (readonly [Told, readonly Kept[]])[];

  beforeAll(async () => {
    const all: (readonly [Told, readonly Kept[]])[] = [];
    for (const seed of SEEDS) all.push(await keptOf(name, seed));
    results = all;
  }, 300_000);

  it('is right about the kinds of clients for 95 % of the requests, and takes nothing else for a person', () => {
    const told = results.map(([each]) => each);

    expect(told.filter(({ wrong }) => wrong > 0.05)).toEqual([]);
    expect(told.filter(({ strangers }) => strangers.length > 0)).toEqual([]);
  });

  it('is a promise: a proposed limit denies no more people of the next log, and is not much higher than it must be', () => {
    const kept = results.flatMap(([, each]) => each);
    expect(kept.filter(({ denied, mayDeny }) => denied > mayDeny)).toEqual([]);
    expect(kept.filter(({ above }) => above > 1.5)).toEqual([]);
  });
});
