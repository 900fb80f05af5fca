import {
  type AttributeValues,
  givesNotice,
  type LeaseEvent,
  type Notice,
  type Outcome,
  type Receipt,
  type TierView,
  warn,
} from '@sluice/core/internal';
import { hasOutcome, outcomeKind, type OutcomeKind } from './outcome-kind.js';
import { Histogram } from './histogram.js';
import { bucketsOf } from './instruments.js';
import type { NumberPoint, OnValue, Point } from './point.js';

/** Tiers that have a name in metrics. Names of routes can be many. */
const MAX_TIERS = 200;
const OTHER_TIERS = '_other';
const DELAY = bucketsOf('sluice.tier.delay');

type OutcomeCounts = Record<OutcomeKind, number>;

interface TierCounts {
  readonly name: string;
  /** Undefined for a tier that has no such outcomes. */
  enforced: OutcomeCounts | undefined;
  shadow: OutcomeCounts | undefined;
  units: number;
  /** Undefined until the first wait in its queue. */
  delays: Histogram | undefined;
  readonly leased: Record<LeaseEvent['state'], number>;
  /** Undefined for a tier whose units do not lapse. */
  lapsed: number | undefined;
  isBalance: boolean;
  /** Undefined for a tier without marks. */
  notices: number | undefined;
}

/** Outcomes, units, delays and leases of each tier. */
export class TierMetrics {
  readonly #near: number;
  readonly #onValue: OnValue;
  readonly #tiers = new Map<string, TierCounts>();

  /** @param near the part of the limit from which an allowed outcome is `near` */
  constructor(near: number, onValue: OnValue) {
    this.#near = near;
    this.#onValue = onValue;
  }

  countOutcome(outcome: Outcome): void {
    const tier = this.#tierOf(outcome.tier);
    const { shadow, delay, paid } = outcome;
    if (paid !== undefined) tier.isBalance = true;
    const counts = shadow ? (tier.shadow ??= noOutcomes()) : (tier.enforced ??= noOutcomes());
    counts[outcomeKind(outcome, this.#near)] += 1;
    if (delay === 0) return;
    (tier.delays ??= new Histogram(DELAY)).record(delay / 1e3);
    this.#onValue('sluice.tier.delay', delay / 1e3, { 'sluice.tier': tier.name });
  }

  countCharge(tier: string, units: number): void {
    this.#tierOf(tier).units += units;
  }

  countLease({ tier, units, state }: LeaseEvent): void {
    this.#tierOf(tier).leased[state] += units;
  }

  countLapsed({ tier, units }: Pick<Receipt, 'tier' | 'units'>): void {
    const counts = this.#tierOf(tier);
    counts.lapsed = (counts.lapsed ?? 0) + units;
  }

  countNotice({ tier }: Notice): void {
    const counts = this.#tierOf(tier);
    counts.notices = (counts.notices ?? 0) + 1;
  }

  /** Shows a tier before its first decision: a series that begins later is one event short in `increase()`. */
  show({ name, shadow, policy }: TierView): void {
    const tier = this.#tierOf(name);
    if (policy.algorithm.endsWithRequest) tier.lapsed ??= 0;
    if (policy.algorithm.neverRefills) tier.isBalance = true;
    if (givesNotice(policy)) tier.notices ??= 0;
    if (shadow) tier.shadow ??= noOutcomes();
    else tier.enforced ??= noOutcomes();
  }

  outcomes(): readonly NumberPoint[] {
    return [...this.#tiers.values()].flatMap((tier) => [
      ...outcomePoints(tier, tier.enforced, 'false'),
      ...outcomePoints(tier, tier.shadow, 'true'),
    ]);
  }

  units(): readonly NumberPoint[] {
    return [...this.#tiers.values()].map(({ name, units }) => ({ attributes: { 'sluice.tier': name }, value: units }));
  }

  /** What balances have paid. */
  spent(): readonly NumberPoint[] {
    return [...this.#tiers.values()].flatMap(({ name, units, isBalance }) =>
      isBalance ? [{ attributes: { 'sluice.tier': name }, value: units }] : [],
    );
  }

  delays(): readonly Point[] {
    return [...this.#tiers.values()].flatMap(({ name, delays }) =>
      delays ? [{ attributes: { 'sluice.tier': name }, value: delays }] : [],
    );
  }

  leases(): readonly NumberPoint[] {
    return [...this.#tiers.values()].flatMap(({ name, leased }) =>
      Object.entries(leased).map(([state, value]) => ({
        attributes: { 'sluice.tier': name, 'sluice.lease.state': state },
        value,
      })),
    );
  }

  lapsed(): readonly NumberPoint[] {
    return this.#known(({ lapsed }) => lapsed);
  }

  notices(): readonly NumberPoint[] {
    return this.#known(({ notices }) => notices);
  }

  #known(valueOf: (counts: TierCounts) => number | undefined): readonly NumberPoint[] {
    return [...this.#tiers.values()].flatMap((counts) => {
      const value = valueOf(counts);
      return value === undefined ? [] : [{ attributes: { 'sluice.tier': counts.name }, value }];
    });
  }

  /** The name of a tier in metrics. */
  nameOf(tier: string): string {
    return this.#tierOf(tier).name;
  }

  #tierOf(name: string): TierCounts {
    const known = this.#tiers.get(name);
    if (known) return known;
    if (this.#tiers.size < MAX_TIERS || name === OTHER_TIERS) return this.#create(name);
    warn(
      'SLUICE_TIERS_WITHOUT_METRICS',
      `collectMetrics: there are more than ${MAX_TIERS} names of tiers, so that metrics of the others are counted as ${OTHER_TIERS}: give tiers of routes common names`,
    );
    return this.#tierOf(OTHER_TIERS);
  }

  #create(name: string): TierCounts {
    const leased = { granted: 0, spent: 0, returned: 0 };
    const tier: TierCounts = {
      name,
      enforced: undefined,
      shadow: undefined,
      units: 0,
      delays: undefined,
      leased,
      lapsed: undefined,
      isBalance: false,
      notices: undefined,
    };
    this.#tiers.set(name, tier);
    return tier;
  }
}

function noOutcomes(): OutcomeCounts {
  return { within: 0, near: 0, over: 0, never: 0, paid: 0, 'not-needed': 0 };
}

function outcomePoints(
  { name, isBalance }: TierCounts,
  counts: OutcomeCounts | undefined,
  shadow: string,
): NumberPoint[] {
  const entries = Object.entries(counts ?? {}) as [OutcomeKind, number][];
  return entries.flatMap(([outcome, value]) => {
    // A name may be that of several tiers.
    if (value === 0 && !hasOutcome(outcome, isBalance)) return [];
    const attributes: AttributeValues = { 'sluice.tier': name, 'sluice.outcome': outcome, 'sluice.shadow': shadow };
    return [{ attributes, value }];
  });
}
