import { NO_DECISIONS } from './decision-history.js';
import type { DecisionCounts, OutcomeCounts, ProcessState } from './messages.js';
import { NO_OUTCOMES } from './outcome-counts.js';
import type { FrequentIdentity, ProcessSummary, TierSummary } from './process-summary.js';

/** A process that is silent for longer is not listed. In milliseconds. */
const SILENT = 10_000;
/** Processes that have counts of their own. Those of older ones are one sum. */
const MAX_KNOWN = 256;

/** What a process has counted: decisions, and outcomes by tier. */
export interface Counted {
  readonly decisions: DecisionCounts;
  readonly tiers: readonly CountedTier[];
}

export type CountedTier = Pick<TierSummary, 'name' | 'shadow' | 'outcomes'>;

interface Known {
  readonly summary: ProcessSummary;
  readonly counted: Counted;
  readonly reportedAt: number;
}

/** What the other processes of a fleet have said. Counts of a process that has ended stay, so that no total falls. */
export class OtherProcesses {
  readonly #known = new Map<string, Known>();
  #forgotten: Counted = { decisions: NO_DECISIONS, tiers: [] };

  /**
   * @param now monotonic milliseconds
   * @returns what the process has counted since its last summary; undefined for the first one, and after a pause
   */
  add(summary: ProcessSummary, now: number): Counted | undefined {
    const known = this.#known.get(summary.id);
    // A process that has stopped to write is not heard again until its summary expires.
    if (known?.summary.uptime === summary.uptime) return undefined;
    const before = known?.counted.tiers ?? [];
    // A tier that a full summary leaves out keeps its counts.
    const left = before.filter(({ name }) => !summary.tiers.some((tier) => tier.name === name));
    const counted: Counted = { decisions: summary.decisions, tiers: [...summary.tiers, ...left] };
    this.#known.delete(summary.id);
    this.#known.set(summary.id, { summary, counted, reportedAt: now });
    if (this.#known.size > MAX_KNOWN) this.#forgetOldest();
    return known && now - known.reportedAt < SILENT ? difference(counted, known.counted) : undefined;
  }

  /** All that others have counted, also those that have ended. */
  counted(): Counted {
    return [...this.#known.values()].reduce((sum, { counted }) => merged(sum, counted), this.#forgotten);
  }

  /** The processes that have reported in the last ten seconds. */
  states(now: number): readonly ProcessState[] {
    return this.#alive(now).map(({ summary: { id, uptime, decisions, isDegraded }, reportedAt }) => {
      return { id, uptime, decisions, isDegraded, age: Math.round(now - reportedAt) };
    });
  }

  /** The lists of all processes that have reported in the last ten seconds, joined. */
  identities(list: 'denied' | 'sending', now: number): readonly FrequentIdentity[] {
    return this.#alive(now).flatMap(({ summary }) => summary[list]);
  }

  /** All that their lists have counted in a tier. */
  total(list: 'denied' | 'sending', tier: string, now: number): number {
    const tiers = this.#alive(now).flatMap(({ summary }) => summary.tiers);
    return tiers.reduce((sum, each) => sum + (each.name === tier ? each[list] : 0), 0);
  }

  #alive(now: number): readonly Known[] {
    return [...this.#known.values()].filter(({ reportedAt }) => now - reportedAt < SILENT);
  }

  #forgetOldest(): void {
    const [[id, { counted }]] = this.#known as Iterable<[string, Known]> as [[string, Known]];
    this.#known.delete(id);
    this.#forgotten = merged(this.#forgotten, counted);
  }
}

/** The sum of two. */
export function merged(one: Counted, other: Counted): Counted {
  return combined(one, other, (left, right) => left + right);
}

function difference(one: Counted, other: Counted): Counted {
  return combined(one, other, (left, right) => Math.max(0, left - right));
}

function combined(one: Counted, other: Counted, combine: (left: number, right: number) => number): Counted {
  const tiers = new Map<string, CountedTier>(one.tiers.map((tier) => [tier.name, tier]));
  for (const { name, shadow, outcomes } of other.tiers) {
    const known = tiers.get(name) ?? { name, shadow, outcomes: NO_OUTCOMES };
    tiers.set(name, { name, shadow: known.shadow, outcomes: paired(known.outcomes, outcomes, combine) });
  }
  return { decisions: paired(one.decisions, other.decisions, combine), tiers: [...tiers.values()] };
}

function paired<T extends DecisionCounts | OutcomeCounts>(
  one: T,
  other: T,
  combine: (left: number, right: number) => number,
): T {
  const entries = Object.entries(one) as [keyof T, number][];
  const sums = entries.map(([name, count]) => [name, combine(count, other[name] as number)] as const);
  return Object.fromEntries(sums) as unknown as T;
}
