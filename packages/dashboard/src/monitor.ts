import { randomBytes } from 'node:crypto';
import { limitersOf, subscribe, type Decision, type Store, type TierView } from '@sluice/core';
import { warn } from '@sluice/http/adapter';
import { decisionsOf, eventChannel, visitKeys } from '@sluice/metrics/operations';
import { DecisionHistory, NO_DECISIONS, REASONS } from './decision-history.js';
import { DecisionTail } from './decision-tail.js';
import { VERSION, type DecisionCounts, type Snapshot, type State, type Tail, type TierState } from './messages.js';
import { merged, OtherProcesses, type Counted } from './other-processes.js';
import { OutageLog } from './outage-log.js';
import { sumOf } from './outcome-counts.js';
import { policyText } from './policy-text.js';
import { decodeSummary, encodeSummary } from './process-summary.js';
import { StoreHealth } from './store-health.js';
import { TierTraffic } from './tier-traffic.js';
import { findDigest, TopIdentities, type OtherIdentities } from './top-identities.js';

const UNREADABLE =
  'createDashboard: what another process wrote into Redis for the dashboards of its fleet is no summary, and was ' +
  'ignored. Keys of a fleet end in {~fleet}:…: let no other program write them';
/** Of shedders, which this package does not load. */
const shedEvent = eventChannel<{ readonly shadow: boolean }>('sluice:shed');
const SECOND = 1e3;
const MINUTE = 6e4;
/** Seconds of `recent`. */
const RECENT = 60;
const QUARTER_HOUR = 900;
const DAY = 1_440;
/** Tiers that have a row. Names of routes can be many. */
const MAX_TIERS = 200;
/** Identities of each list that other processes get. */
const SHARED = 32;
/** Decisions a second whose identities are counted as sending. */
const SENDING = 200;

/** Counts what the limiters of this process decide: a few additions for each decision, more only while it is watched. */
export class Monitor {
  readonly id = randomBytes(6).toString('base64url');
  readonly health: StoreHealth;
  readonly denied: TopIdentities;
  readonly sending: TopIdentities;
  readonly #store: Store;
  readonly #clock: () => number;
  /** The newest reading of the clock. In milliseconds since the start. */
  #now = 0;
  readonly #decisions = { ...NO_DECISIONS };
  readonly #outages = new OutageLog();
  readonly #seconds = new DecisionHistory(SECOND, QUARTER_HOUR, this.#outages);
  readonly #minutes = new DecisionHistory(MINUTE, DAY, this.#outages);
  readonly #tiers = new Map<string, TierTraffic>();
  readonly #tail = new DecisionTail();
  readonly #others = new OtherProcesses();
  readonly #subscriptions: readonly (() => void)[];
  /** When the second ends whose decisions are not in the history yet. */
  #endsAt = SECOND;
  #shown = NO_DECISIONS;
  #isWatched = false;
  /** Decisions of this second whose identities were counted as sending. */
  #sampled = 0;

  /**
   * @param clock monotonic milliseconds
   * @param onHealth called when the store fails or answers again
   */
  constructor(store: Store, clock: () => number, onHealth: () => void) {
    const start = clock();
    this.#store = store;
    this.#clock = () => (this.#now = clock() - start);
    this.health = new StoreHealth(store, this.#clock, () => {
      this.#noteOutage();
      onHealth();
    });
    // One reading of the clock for a decision.
    this.denied = new TopIdentities(() => this.#now);
    this.sending = new TopIdentities(() => this.#now);
    const isOurs = decisionsOf(store);
    this.#subscriptions = [
      subscribe('sluice:decision', ({ decision }) => {
        if (isOurs(decision)) this.#count(decision);
      }),
      // A shedder refuses for the whole process, whatever store its limits have.
      subscribe(shedEvent, ({ shadow }) => {
        if (!shadow) this.#countShed();
      }),
    ];
  }

  /** Starts or stops what a page alone needs: the tail, and which identities send most. */
  watch(isWatched: boolean): void {
    if (isWatched && !this.#isWatched) this.tail();
    this.#isWatched = isWatched;
  }

  snapshot(): Snapshot {
    const now = this.#clock();
    if (now >= this.#endsAt) this.#endSecond(now);
    this.#noteOutage();
    const { id } = this;
    const { isDegraded } = this.health;
    const own: Counted = { decisions: { ...this.#decisions }, tiers: [...this.#tiers.values()] };
    const all = merged(own, this.#others.counted());
    return {
      second: Math.floor(now / SECOND) - 1,
      decisions: all.decisions,
      recent: this.#seconds.read(now, RECENT),
      tiers: this.#tierStates(now, all),
      top: {
        denied: this.denied.entries(this.#othersOf('denied', now)),
        sending: this.sending.entries(this.#othersOf('sending', now)),
      },
      health: this.health.read(),
      processes: [
        { id, uptime: Math.round(now), decisions: own.decisions, age: 0, isDegraded },
        ...this.#others.states(now),
      ],
    };
  }

  /** What other processes of a fleet get. */
  summary(): string {
    const shared = (top: TopIdentities) => top.frequent(SHARED);
    const tiers = [...this.#tiers.values()].map(({ name, shadow, outcomes }) => {
      return { name, shadow, outcomes, denied: this.denied.total(name), sending: this.sending.total(name) };
    });
    return encodeSummary({
      version: VERSION,
      id: this.id,
      uptime: Math.round(this.#clock()),
      isDegraded: this.health.isDegraded,
      decisions: this.#decisions,
      tiers: tiers.toSorted((one, other) => sumOf(other.outcomes) - sumOf(one.outcomes)),
      denied: shared(this.denied),
      sending: shared(this.sending),
    });
  }

  /** Takes in what another process of the fleet has said. */
  addSummary(text: string): void {
    const summary = decodeSummary(text, VERSION);
    if (summary === 'unreadable') {
      warn('SLUICE_DASHBOARD_SUMMARY', UNREADABLE);
      return;
    }
    const now = this.#clock();
    const change = summary && this.#others.add(summary, now);
    if (change === undefined) return;
    for (const [reason, count] of Object.entries(change.decisions) as [keyof DecisionCounts, number][]) {
      spread(now, count, (at, part) => {
        this.#seconds.count(at, reason, part);
        this.#minutes.count(at, reason, part);
      });
    }
    for (const { name, shadow, outcomes } of change.tiers) {
      const tier = this.#tierOf(name, shadow);
      spread(now, sumOf(outcomes), (at, part) => tier?.countOthers(at, part));
    }
  }

  /** The whole digest of an entry of the lists. */
  digestOf(tier: string, shown: string): string | undefined {
    const own = this.denied.digestOf(tier, shown) ?? this.sending.digestOf(tier, shown);
    if (own !== undefined) return own;
    const now = this.#clock();
    const others = [...this.#others.identities('denied', now), ...this.#others.identities('sending', now)];
    return findDigest(others, tier, shown);
  }

  state(rights: Pick<State, 'by' | 'canOverride' | 'readOnly' | 'role'>): State {
    const now = this.#clock();
    return {
      version: VERSION,
      ...rights,
      isKeyed: limitersOf(this.#store).every(({ isKeyed }) => isKeyed),
      ...this.snapshot(),
      seconds: this.#seconds.read(now),
      minutes: this.#minutes.read(now),
    };
  }

  tail(): Tail {
    const { ok, denied, never, unavailable } = this.#decisions;
    return this.#tail.take(this.#clock(), ok + denied + never + unavailable);
  }

  stop(): void {
    for (const end of this.#subscriptions) end();
    this.health.stop();
  }

  #count(decision: Decision): void {
    const now = this.#clock();
    if (now >= this.#endsAt) this.#endSecond(now);
    const { reason, outcomes } = decision;
    // No limiter sheds a request.
    this.#decisions[reason as keyof DecisionCounts] += 1;
    for (let index = 0; index < outcomes.length; index += 1) {
      this.#tierOf(outcomes[index]!.tier, outcomes[index]!.shadow)?.count(outcomes[index]!);
    }
    const { deniedBy } = decision;
    if (deniedBy.length > 0) {
      visitKeys(decision, (tier, key, label) => {
        if (deniedBy.includes(tier)) this.denied.count(tier, key, label);
      });
    }
    if (this.#isWatched) this.#countWatched(now, decision);
  }

  #countShed(): void {
    const now = this.#clock();
    if (now >= this.#endsAt) this.#endSecond(now);
    this.#decisions.shed += 1;
  }

  /** An outage of this process or of another one of the fleet. */
  #noteOutage(): void {
    const now = this.#clock();
    const since = this.health.failingSince;
    const isOut = this.health.isOut || this.#others.states(now).some(({ isDegraded }) => isDegraded);
    this.#outages.note(now, isOut, since);
  }

  /** Puts the decisions of a second into the history: cheaper than each of them. */
  #endSecond(now: number): void {
    const at = this.#endsAt - 1;
    for (const reason of REASONS) {
      const count = this.#decisions[reason] - this.#shown[reason];
      this.#seconds.count(at, reason, count);
      this.#minutes.count(at, reason, count);
    }
    this.#shown = { ...this.#decisions };
    this.#sampled = 0;
    for (const tier of this.#tiers.values()) tier.endSecond(at);
    this.#endsAt = (Math.floor(now / SECOND) + 1) * SECOND;
  }

  #countWatched(now: number, decision: Decision): void {
    this.#tail.add(now, decision);
    if (this.#sampled >= SENDING) return;
    this.#sampled += 1;
    visitKeys(decision, (tier, key, label) => this.sending.count(tier, key, label));
  }

  /** Undefined for the 201st name and later ones. */
  #tierOf(name: string, shadow: boolean): TierTraffic | undefined {
    const known = this.#tiers.get(name);
    if (known !== undefined || this.#tiers.size >= MAX_TIERS) return known;
    const tier = new TierTraffic({ name, shadow });
    this.#tiers.set(name, tier);
    return tier;
  }

  #othersOf(list: 'denied' | 'sending', now: number): OtherIdentities {
    return {
      identities: this.#others.identities(list, now),
      totalOf: (tier) => this.#others.total(list, tier, now),
    };
  }

  #tierStates(now: number, all: Counted): readonly TierState[] {
    const counted = new Map(all.tiers.map(({ name, outcomes }) => [name, outcomes]));
    const views = new Map<string, TierView>();
    // Limiters may have been created since the last time.
    for (const { tiers } of limitersOf(this.#store)) {
      for (const tier of tiers) {
        views.set(tier.name, tier);
        this.#tierOf(tier.name, tier.shadow);
      }
    }
    for (const { name, shadow } of all.tiers) this.#tierOf(name, shadow);
    return [...this.#tiers.values()].map((tier) => {
      const { name, shadow } = tier;
      const outcomes = counted.get(name) ?? tier.outcomes;
      const { policy, limit = 'by-request' } = views.get(name) ?? {};
      // A limiter of another process, or one that the application no longer uses, has no view.
      const text = policy ? policyText(policy, limit === 'by-request') : '';
      return { name, shadow, policy: text, limit, outcomes: { ...outcomes }, recent: tier.recent(now) };
    });
  }
}

/** Counts half in this second and half in the one before: others speak every two seconds. */
function spread(now: number, count: number, add: (at: number, part: number) => void): void {
  const half = Math.floor(count / 2);
  add(Math.max(0, now - SECOND), half);
  add(now, count - half);
}
