import type { DecisionCounts, OutcomeCounts, VERSION } from './messages.js';
import { readSummary, type PackedIdentity, type PackedTier } from './read-summary.js';

/** What a process tells the others of a fleet. It has digests, and no label: labels stay in the memory of a process. */
export interface ProcessSummary {
  readonly version: typeof VERSION;
  readonly id: string;
  /** Milliseconds. */
  readonly uptime: number;
  readonly isDegraded: boolean;
  readonly decisions: DecisionCounts;
  /** The busiest first. */
  readonly tiers: readonly TierSummary[];
  /** The most frequent first. */
  readonly denied: readonly FrequentIdentity[];
  readonly sending: readonly FrequentIdentity[];
}

export interface TierSummary {
  readonly name: string;
  readonly shadow: boolean;
  readonly outcomes: OutcomeCounts;
  /** All that the lists of identities have counted. */
  readonly denied: number;
  readonly sending: number;
}

export interface FrequentIdentity {
  readonly tier: string;
  /** The whole digest. */
  readonly digest: string;
  readonly count: number;
  readonly error: number;
}

type Lists = Pick<ProcessSummary, 'tiers' | 'denied' | 'sending'>;

const MAX_BYTES = 8_192;

/** A summary of at most 8 KiB: a process with many tiers leaves out those with the fewest decisions. */
export function encodeSummary({ tiers, denied, sending, ...rest }: ProcessSummary): string {
  let lists: Lists = { tiers, denied, sending };
  let text = JSON.stringify({ ...rest, ...packed(lists) });
  while (Buffer.byteLength(text) > MAX_BYTES) {
    lists = { tiers: shorter(lists.tiers), denied: shorter(lists.denied), sending: shorter(lists.sending) };
    text = JSON.stringify({ ...rest, ...packed(lists) });
  }
  return text;
}

/**
 * Reads what another process has written, which may be anything.
 *
 * @returns undefined for a summary of another version, which a deploy may leave beside this one
 */
export function decodeSummary(text: string, version: typeof VERSION): ProcessSummary | 'unreadable' | undefined {
  const summary = Buffer.byteLength(text) > MAX_BYTES ? 'unreadable' : readSummary(text, version);
  if (summary === undefined || summary === 'unreadable') return summary;
  const identity = ([tier, digest, count, error]: PackedIdentity) => ({ tier, digest, count, error });
  return {
    ...summary,
    version,
    tiers: summary.tiers.map(([name, shadow, within, near, over, never, denied, sending, paid = 0, unneeded = 0]) => ({
      name,
      shadow: shadow === 1,
      outcomes: { within, near, over, never, paid, 'not-needed': unneeded },
      denied,
      sending,
    })),
    denied: summary.denied.map(identity),
    sending: summary.sending.map(identity),
  };
}

function packed({ tiers, denied, sending }: Lists) {
  const identity = ({ tier, digest, count, error }: FrequentIdentity): PackedIdentity => [tier, digest, count, error];
  return {
    tiers: tiers.map((tier): PackedTier => {
      const { within, near, over, never, paid, 'not-needed': unneeded } = tier.outcomes;
      const spent: [paid?: number, unneeded?: number] = paid + unneeded === 0 ? [] : [paid, unneeded];
      return [tier.name, tier.shadow ? 1 : 0, within, near, over, never, tier.denied, tier.sending, ...spent];
    }),
    denied: denied.map(identity),
    sending: sending.map(identity),
  };
}

function shorter<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, Math.floor(list.length * 0.75));
}
