import { REASONS } from './decision-history.js';
import type { DecisionCounts } from './messages.js';

/** A summary as its text has it. */
export interface PackedSummary {
  readonly id: string;
  readonly uptime: number;
  readonly isDegraded: boolean;
  readonly decisions: DecisionCounts;
  readonly tiers: readonly PackedTier[];
  readonly denied: readonly PackedIdentity[];
  readonly sending: readonly PackedIdentity[];
}

/** The last two are those of a balance. */
export type PackedTier = [
  string,
  0 | 1,
  number,
  number,
  number,
  number,
  number,
  number,
  paid?: number,
  unneeded?: number,
];

export type PackedIdentity = [string, string, number, number];

/** Numbers of a tier behind its name and whether it is a shadow, without and with those of a balance. */
const TIER_NUMBERS = [6, 8];

/**
 * Reads the text of a summary, and takes in nothing that has another form: another program, a broken deploy or a person may
 * have written it, and an error in a timer would end this process.
 *
 * @returns undefined for another version
 */
export function readSummary(text: string, version: number): PackedSummary | 'unreadable' | undefined {
  const given = parse(text);
  if (!isRecord(given)) return 'unreadable';
  if (given.version !== version) return isCount(given.version) ? undefined : 'unreadable';
  const { id, uptime, isDegraded, decisions, tiers, denied, sending } = given;
  if (!isName(id) || !isCount(uptime) || typeof isDegraded !== 'boolean' || !isDecisions(decisions))
    return 'unreadable';
  if (!isListOf(tiers, isTier) || !isListOf(denied, isIdentity) || !isListOf(sending, isIdentity)) return 'unreadable';
  return { id, uptime, isDegraded, decisions: countsOf(decisions), tiers, denied, sending };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf<T>(value: unknown, isMember: (member: unknown) => member is T): value is readonly T[] {
  return Array.isArray(value) && value.every((each) => isMember(each));
}

function isDecisions(value: unknown): value is DecisionCounts {
  return isRecord(value) && REASONS.every((reason) => isCount(value[reason]));
}

/** Without members that this version does not know. */
function countsOf({ ok, denied, never, unavailable, shed }: DecisionCounts): DecisionCounts {
  return { ok, denied, never, unavailable, shed };
}

function isTier(value: unknown): value is PackedTier {
  if (!Array.isArray(value)) return false;
  const [name, shadow, ...numbers] = value as readonly unknown[];
  const isShadow = shadow === 0 || shadow === 1;
  return isName(name) && isShadow && TIER_NUMBERS.includes(numbers.length) && numbers.every(isCount);
}

function isIdentity(value: unknown): value is PackedIdentity {
  if (!Array.isArray(value)) return false;
  const [tier, digest, ...numbers] = value as readonly unknown[];
  return isName(tier) && isName(digest) && numbers.length === 2 && numbers.every(isCount);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Sums of such numbers are numbers, too. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
