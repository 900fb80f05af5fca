import {
  ANY,
  type DecisionEvent,
  FUNCTION,
  type Instrument,
  type Limiter,
  limitersOf,
  type MaybePromise,
  OptionReader,
  type OptionRows,
  runningReceipts,
  statsOf,
  type Store,
  subscribe,
  TieredDecision,
  tracksOf,
} from '@sluice/core/internal';
import { listViews, type ListView } from '@sluice/http/internal';
import { CallMetrics } from './call-metrics.js';
import { DecisionMetrics } from './decision-metrics.js';
import { DegradedMetrics } from './degraded-metrics.js';
import { exportAges } from './export-ages.js';
import { FeaturesInUse } from './features-in-use.js';
import { instruments, type InstrumentName } from './instruments.js';
import type { NumberPoint, OnValue, Point } from './point.js';
import { arePolicies, PoliciesMetrics, type WatchedPolicies } from './policies-metrics.js';
import { TierMetrics } from './tier-metrics.js';
import { TopMetrics } from './top-metrics.js';
import { WatchedMetrics, type WatchedIdentity } from './watched-metrics.js';

export interface MetricsOptions {
  /**
   * Stores by the names that they get in metrics. Their tiers, keys and breakers are shown.
   *
   * @default none
   */
  readonly stores?: Readonly<Record<string, Store>>;
  /**
   * The part of a limit from which an allowed outcome counts as `near`, from 0 to 1.
   *
   * @default 0.8
   */
  readonly near?: number;
  /**
   * How many of the identities that a tier denies most have a share in `sluice.top.share`, up to 100. Their names are
   * never shown.
   *
   * @default 0
   */
  readonly top?: number;
  /**
   * Identities whose use of their limits is shown in `sluice.watched.utilization`, up to 50.
   *
   * @default none
   */
  readonly watch?: readonly WatchedIdentity[];
  /**
   * Policies of `@sluice/policies` by the names that they get in metrics: version, age and overrides are shown.
   *
   * @default none
   */
  readonly policies?: Readonly<Record<string, WatchedPolicies>>;
  /**
   * Monotonic milliseconds, for tests.
   *
   * @default performance.now
   */
  readonly clock?: () => number;
}

/** The metrics of this process. A reader asks for the points of each instrument; reading changes nothing. */
export interface Metrics {
  /** Those that the options ask for, and those of the features that are in use by now. */
  readonly instruments: readonly Instrument[];
  /** Calls back for each instrument, and later for those of a feature that comes into use. @returns ends that */
  onInstrument(listener: (instrument: Instrument) => void): () => void;
  /** The numbers of an instrument now. Only `sluice.watched.utilization` needs a promise. */
  points(name: Instrument['name']): MaybePromise<readonly Point[]>;
  /** Stops counting. */
  stop(): void;
}

const MAX_TOP = 100;
const MAX_WATCHED = 50;

export const METRICS_ROWS = {
  stores: {
    is: areStores,
    words: 'an object that holds stores by name: write { main: store }',
  },
  near: {
    is: (near) => typeof near === 'number' && near >= 0 && near <= 1,
    words: 'a number from 0 to 1, such as 0.8',
    otherwise: 0.8,
  },
  top: { integer: [0, MAX_TOP], otherwise: 0 },
  watch: {
    is: (watch) => Array.isArray(watch) && watch.length <= MAX_WATCHED,
    words: `an array of at most ${MAX_WATCHED} identities`,
  },
  policies: {
    is: arePolicies,
    words: 'an object that holds policies by name: write { limits: await openPolicies(…) }',
  },
  clock: FUNCTION,
} as const satisfies OptionRows;
export const WATCH_ROWS = {
  name: { is: 'string', words: 'its name in metrics, as text', required: true },
  limiter: {
    is: (limiter) => typeof (limiter as Partial<Limiter<never>> | null)?.of === 'function',
    words: 'a limiter',
    required: true,
  },
  identity: ANY,
  partition: ANY,
  tiers: ANY,
  limit: ANY,
} as const satisfies OptionRows;

/**
 * Counts what all limiters of this process decide, from now on: a few additions for each decision. Features that the program
 * uses, such as a shedder, bring their instruments. For readers such as `@sluice/prometheus` and `@sluice/opentelemetry`, or one
 * of your own.
 *
 * @param onValue gets each value of a histogram, for a reader with histograms of its own. @default none
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example
 * const metrics = collectMetrics({ stores: { main: store } });
 * for (const { attributes, value } of await metrics.points('sluice.decisions')) print(attributes, value);
 */
export function collectMetrics(options: MetricsOptions = {}, onValue: OnValue = ignore): Metrics {
  const reader = new OptionReader('collectMetrics', options, METRICS_ROWS);
  const { top, near } = reader.read(METRICS_ROWS);
  const { stores = {}, watch = [], policies = {}, clock = () => performance.now() } = options;
  for (const index of watch.keys()) {
    const { name } = reader.inside('watch', index, WATCH_ROWS).read(WATCH_ROWS);
    if (watch.findIndex((other) => other.name === name) === index) continue;
    throw reader.inside('watch', index, WATCH_ROWS).fail('OPTION_INVALID', 'name', 'must differ from the other names');
  }
  return new Collector({ stores, near: near as number, top, watch, policies, clock }, onValue);
}

function areStores(stores: unknown): boolean | string {
  if (typeof stores !== 'object' || stores === null || isStore(stores)) return false;
  for (const [name, store] of Object.entries(stores)) {
    if (!isStore(store)) return `must hold a store at ${name}: write { ${name}: redisStore(client) }`;
    // A limiter has `consume` too, but no store has `settle`.
    if (!('settle' in (store as object))) continue;
    return `must hold a store at ${name}, not a limiter: write createLimiter({ store, … }) and { ${name}: store }`;
  }
  return true;
}

function isStore(value: unknown): boolean {
  return typeof (value as Partial<Store> | null)?.consume === 'function';
}

class Collector implements Metrics {
  readonly #instruments: readonly Instrument[];
  readonly #stores: readonly (readonly [string, Store])[];
  readonly #decisions = new DecisionMetrics();
  readonly #tiers: TierMetrics;
  readonly #calls: CallMetrics;
  readonly #degraded: DegradedMetrics;
  /** Undefined without the option. */
  readonly #top: TopMetrics | undefined;
  readonly #watched: WatchedMetrics;
  readonly #policies: PoliciesMetrics;
  #refunded = 0;
  #configFaults = 0;
  readonly #features: FeaturesInUse;
  readonly #subscriptions: readonly (() => void)[];
  readonly #points: Record<InstrumentName, () => MaybePromise<readonly Point[]>>;

  readonly #countCharge = (tier: string, units: number) => this.#tiers.countCharge(tier, units);

  constructor({ stores, near, top, watch, policies, clock }: Required<MetricsOptions>, onValue: OnValue) {
    this.#stores = Object.entries(stores);
    this.#tiers = new TierMetrics(near, onValue);
    this.#calls = new CallMetrics(onValue);
    this.#degraded = new DegradedMetrics(clock);
    this.#top = top > 0 ? new TopMetrics(top, clock) : undefined;
    this.#watched = new WatchedMetrics(watch, clock);
    this.#policies = new PoliciesMetrics(policies);
    const tierName = (tier: string) => this.#tiers.nameOf(tier);
    this.#features = new FeaturesInUse({ stores: this.#stores, clock, tierName }, onValue);
    const wanted = { top: top > 0, watch: watch.length > 0, policies: Object.keys(policies).length > 0 };
    this.#instruments = instruments.filter(({ option }: Instrument) => option === undefined || wanted[option]);
    this.#subscriptions = [
      subscribe('sluice:decision', (event) => this.#countDecision(event)),
      subscribe('sluice:store-call', (event) => this.#calls.count(event)),
      subscribe('sluice:degraded', (event) => this.#degraded.count(event)),
      subscribe('sluice:config-fault', () => void (this.#configFaults += 1)),
      subscribe('sluice:refund', ({ given }) => void (this.#refunded += given)),
      subscribe('sluice:charge', ({ tiers }) => {
        for (const { tier, units } of tiers) this.#tiers.countCharge(tier, units);
      }),
      subscribe('sluice:lease', (event) => this.#tiers.countLease(event)),
      subscribe('sluice:permit-lapsed', (event) => this.#tiers.countLapsed(event)),
      subscribe('sluice:notice', (event) => this.#tiers.countNotice(event)),
    ];
    this.#points = {
      'sluice.decisions': () => this.#decisions.points(),
      'sluice.tier.outcomes': () => this.#shownTiers().outcomes(),
      'sluice.tier.units': () => this.#shownTiers().units(),
      'sluice.tier.notices': () => this.#shownTiers().notices(),
      'sluice.tier.limit': () => this.#limits(),
      'sluice.tier.overrides': () => this.#overrides(),
      'sluice.tier.delay': () => this.#tiers.delays(),
      'sluice.balance.spent': () => this.#shownTiers().spent(),
      'sluice.usage.export.age': () => exportAges(this.#stores),
      'sluice.refund.units': () => total(this.#refunded),
      'sluice.lease.units': () => this.#shownTiers().leases(),
      'sluice.permit.held': () => this.#held(),
      'sluice.permit.lapsed': () => this.#shownTiers().lapsed(),
      'sluice.call.duration': () => this.#calls.durations(),
      'sluice.call.requests': () => this.#calls.requests(),
      'sluice.late.requests': () => this.#calls.lateRequests(),
      'sluice.degraded.operations': () => this.#degraded.operations(),
      'sluice.degraded.time': () => this.#degraded.seconds(),
      'sluice.breaker.open': () => this.#breakers(),
      'sluice.config.faults': () => total(this.#configFaults),
      'sluice.store.key.usage': () => this.#keys('used'),
      'sluice.store.key.limit': () => this.#keys('limit'),
      'sluice.list.entries': () => this.#lists(({ entries }) => entries),
      'sluice.list.overdue': () => this.#lists(({ overdue }) => overdue / 1e3),
      'sluice.list.failures': () => this.#lists(({ failures }) => failures),
      'sluice.list.losses': () => this.#lists(({ losses }) => losses),
      'sluice.top.share': () => this.#top?.points() ?? [],
      'sluice.watched.utilization': () => this.#watched.points(),
      'sluice.policies.version': () => this.#policies.versions(),
      'sluice.policies.age': () => this.#policies.ages(),
      'sluice.policies.outdated': () => this.#policies.outdated(),
      'sluice.policies.rejected': () => this.#policies.rejected(),
      'sluice.policies.overrides': () => this.#policies.overrides(),
    };
  }

  get instruments(): readonly Instrument[] {
    return [...this.#instruments, ...this.#features.instruments];
  }

  points(name: Instrument['name']): MaybePromise<readonly Point[]> {
    return this.#features.points(name) ?? this.#points[name as InstrumentName]();
  }

  onInstrument(listener: (instrument: Instrument) => void): () => void {
    for (const instrument of this.#instruments) listener(instrument);
    return this.#features.onInstrument(listener);
  }

  stop(): void {
    for (const end of this.#subscriptions) end();
    this.#features.stop();
  }

  #countDecision({ decision }: DecisionEvent): void {
    this.#decisions.count(decision);
    const { outcomes } = decision;
    for (let index = 0; index < outcomes.length; index += 1) this.#tiers.countOutcome(outcomes[index]!);
    TieredDecision.visitCharges(decision, this.#countCharge);
    if (this.#top === undefined || decision.deniedBy.length === 0) return;
    for (const track of tracksOf(decision)) {
      if (decision.deniedBy.includes(track.tier)) this.#top.countDenied(this.#tiers.nameOf(track.tier), track);
    }
  }

  /** Limiters may have been created since the last time. */
  #shownTiers(): TierMetrics {
    for (const [, store] of this.#stores) {
      for (const { tiers } of limitersOf(store)) for (const tier of tiers) this.#tiers.show(tier);
    }
    return this.#tiers;
  }

  #limits(): readonly NumberPoint[] {
    const limits = new Map<string, number>();
    for (const [, store] of this.#stores) {
      for (const { name, limit, policy } of limitersOf(store).flatMap(({ tiers }) => tiers)) {
        if (limit !== 'by-request' && !policy.algorithm.neverRefills) limits.set(this.#tiers.nameOf(name), limit);
      }
    }
    return [...limits].map(([tier, value]) => ({ attributes: { 'sluice.tier': tier }, value }));
  }

  /** Limiters that share a tier have the same overrides, if one list is given to all. */
  #overrides(): readonly NumberPoint[] {
    const most = new Map<string, number>();
    for (const { overrides } of this.#stores.flatMap(([, store]) => limitersOf(store))) {
      const counts = new Map<string, number>();
      for (const { tier } of overrides) counts.set(tier, (counts.get(tier) ?? 0) + 1);
      for (const [tier, count] of counts) {
        const name = this.#tiers.nameOf(tier);
        most.set(name, Math.max(most.get(name) ?? 0, count));
      }
    }
    return [...most].map(([tier, value]) => ({ attributes: { 'sluice.tier': tier }, value }));
  }

  #held(): readonly NumberPoint[] {
    const held = new Map<string, number>();
    const add = (tier: string, units: number) => {
      const name = this.#tiers.nameOf(tier);
      held.set(name, (held.get(name) ?? 0) + units);
    };
    for (const [, store] of this.#stores) {
      const tiers = limitersOf(store).flatMap((limiter) => limiter.tiers);
      for (const { name, policy } of tiers) if (policy.algorithm.endsWithRequest) add(name, 0);
      for (const { tier, units } of runningReceipts(store)) add(tier, units);
    }
    return [...held].map(([tier, value]) => ({ attributes: { 'sluice.tier': tier }, value }));
  }

  #breakers(): readonly NumberPoint[] {
    return this.#stores.flatMap(([name, store]) =>
      statsOf(store).breakers.map(({ state, primary }) => ({
        attributes: { 'sluice.store': name, ...(primary !== undefined && { 'server.address': primary }) },
        value: state === 'closed' ? 0 : 1,
      })),
    );
  }

  #lists(valueOf: (list: ListView) => number): readonly NumberPoint[] {
    return this.#stores.flatMap(([name, store]) =>
      listViews.of(store).map((list) => ({
        attributes: { 'sluice.store': name, 'sluice.list': list.name },
        value: valueOf(list),
      })),
    );
  }

  #keys(number: 'used' | 'limit'): readonly NumberPoint[] {
    return this.#stores.flatMap(([name, store]) =>
      statsOf(store).keys.map((keys) => ({
        attributes: { 'sluice.store': name, 'sluice.store.part': keys.part },
        value: keys[number],
      })),
    );
  }
}

function ignore(): void {}

function total(value: number): readonly NumberPoint[] {
  return [{ attributes: {}, value }];
}
