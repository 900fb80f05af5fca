import type { FastPath } from '../../../algorithms/algorithm.js';
import type { Claim } from '../../../model/claim.js';
import type { Policy } from '../../../model/policy.js';
import type { Ruling } from '../../../model/ruling.js';
import type { Script } from '../lua/script.js';
import { scripts } from '../lua/scripts.js';
import { decideAgain } from './decide-again.js';
import { RulingReader } from './ruling-reader.js';
import {
  dedupeKeys,
  fastPathOf,
  parseReply,
  timeOf,
  policyArguments,
  type Check,
  type DecodedReply,
  type DistinctKeys,
  type ReplyItem,
  type ScriptRequest,
} from './script-request.js';

/** A state of many numbers has no fast path in groups. */
export type GroupPath = 'fw' | 'sw' | 'tb';
const GROUP_PATHS: ReadonlySet<FastPath | undefined> = new Set<GroupPath>(['fw', 'sw', 'tb']);

/** The first policies of groups whose last reply held a denial, or a state that the fast path leaves over. */
const recentlyDenied = new WeakSet<Policy>();

/**
 * Checks of cost 1 that all have the same policies in the same order: the normal traffic of a limiter with several tiers.
 * The policies are sent once. The script replies with the state that it found under each key, and `decode` decides each
 * group again.
 */
export class UniformGroups implements ScriptRequest {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  readonly #checks: readonly Check[];
  /** For each claim, group by group, the index of its key; undefined when all keys differ. */
  readonly #indexes: readonly number[] | undefined;

  private constructor(path: GroupPath, checks: readonly Check[], { keys, indexes }: DistinctKeys) {
    const { group } = checks[0]!;
    this.script = scripts[`groups-${path}`];
    this.#checks = checks;
    this.keys = keys;
    this.#indexes = indexes;
    const isOptimistic = path === 'fw' && !recentlyDenied.has(group[0]!.policy);
    const args: (string | number)[] = [isOptimistic ? -group.length : group.length];
    for (const { policy } of group) args.push(...policyArguments(policy));
    // Lua counts from 1.
    if (indexes) for (const index of indexes) args.push(index + 1);
    this.args = args;
  }

  /** Undefined when the groups differ in more than their keys, or have no fast path in common. */
  static of(checks: readonly Check[]): UniformGroups | undefined {
    const first = checks[0]!.group;
    const path = fastPathOf(first[0]!.policy);
    if (!isGroupPath(path) || !first.every(({ policy }) => fastPathOf(policy) === path)) return undefined;
    const keys: string[] = [];
    for (const { group, isPeek } of checks) {
      if (isPeek || group.length !== first.length) return undefined;
      for (let place = 0; place < group.length; place += 1) {
        const claim = group[place]!;
        if (claim.policy !== first[place]!.policy || !isEnforcedUnit(claim)) return undefined;
        keys.push(claim.key);
      }
    }
    const distinct = dedupeKeys(keys);
    return hasOnePolicyPerKey(distinct, first.length) ? new UniformGroups(path, checks, distinct) : undefined;
  }

  decode(reply: unknown): DecodedReply {
    const items = parseReply(reply);
    const now = timeOf(items);
    const isFast = areStates(items, this.keys);
    const rulings = isFast
      ? decideAgain(this.#checks, items, this.#indexes)
      : new RulingReader(items, 1).lastGroups(this.#checks);
    const { policy } = this.#checks[0]!.group[0]!;
    if (isFast && rulings.every(isAdmitted)) recentlyDenied.delete(policy);
    else recentlyDenied.add(policy);
    return { now, rulings };
  }
}

export function isGroupPath(path: FastPath | undefined): path is GroupPath {
  return GROUP_PATHS.has(path);
}

/** Whether a reply has one number for each key, as the fast path gives it. The general path gives four or more a claim. */
export function areStates(items: readonly ReplyItem[], keys: readonly string[]): items is readonly number[] {
  return items.length === keys.length + 1 && items.every(Number.isSafeInteger);
}

/** The script reads a key by one policy: false when a key appears under two. */
export function hasOnePolicyPerKey({ keys, indexes }: DistinctKeys, policies: number): boolean {
  if (indexes === undefined) return true;
  const placeOf = new Array<number>(keys.length);
  return indexes.every((index, claim) => (placeOf[index] ??= claim % policies) === claim % policies);
}

function isAdmitted(rulings: readonly Ruling[] | string): boolean {
  for (let index = 0; index < rulings.length; index += 1) if ((rulings[index] as Ruling).retryAfter !== 0) return false;
  return true;
}

export function isEnforcedUnit({ cost, shadow, charge, record }: Claim): boolean {
  return cost === 1 && !shadow && charge === 'admitted' && record === undefined;
}
