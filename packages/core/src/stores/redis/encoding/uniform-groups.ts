import type { FastPath } from '../../../algorithms/algorithm.js';
import { candidate, consumeGroup, type Candidate } from '../../../algorithms/group.js';
import { algorithms } from '../../../algorithms/algorithms.js';
import type { Claim } from '../../../model/claim.js';
import type { Policy } from '../../../model/policy.js';
import type { Ruling } from '../../../model/ruling.js';
import type { Script } from '../lua/script.js';
import { scripts } from '../lua/scripts.js';
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
type GroupPath = 'fw' | 'sw' | 'tb';
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
    if (!GROUP_PATHS.has(path) || !first.every(({ policy }) => fastPathOf(policy) === path)) return undefined;
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
    return hasOnePolicyPerKey(distinct, first.length)
      ? new UniformGroups(path as GroupPath, checks, distinct)
      : undefined;
  }

  decode(reply: unknown): DecodedReply {
    const items = parseReply(reply);
    const now = timeOf(items);
    // The fast path replies with one number a key, the general path with four or more a claim.
    const isFast = items.length === this.keys.length + 1 && items.every(isNumber);
    const rulings = isFast ? this.#rule(items as readonly number[], now) : this.#read(items);
    const { policy } = this.#checks[0]!.group[0]!;
    if (isFast && rulings.every(isAdmitted)) recentlyDenied.delete(policy);
    else recentlyDenied.add(policy);
    return { now, rulings };
  }

  #read(items: readonly ReplyItem[]): DecodedReply['rulings'] {
    const reader = new RulingReader(items, 1);
    return this.#checks.map(({ group }) => reader.nextGroup(group, false));
  }

  #rule(numbers: readonly number[], now: number): DecodedReply['rulings'] {
    const algorithm = algorithms[this.#checks[0]!.group[0]!.policy.algorithm];
    const { packing } = algorithm;
    const states = new Array<unknown>(this.keys.length);
    const rulings = new Array<readonly Ruling[]>(this.#checks.length);
    let claim = 0;
    for (let check = 0; check < rulings.length; check += 1) {
      const { group } = this.#checks[check]!;
      const candidates = new Array<Candidate>(group.length);
      for (let place = 0; place < group.length; place += 1) {
        const { policy } = group[place]!;
        const index = this.#indexOf(claim + place);
        const state = (states[index] ??= packing!.unpack(numbers, index + 1, Math.floor(now / policy.tick), policy));
        candidates[place] = candidate(group[place]!, state, algorithm);
      }
      consumeGroup(candidates, now);
      const ruled = new Array<Ruling>(group.length);
      for (let place = 0; place < group.length; place += 1) {
        const { state, changed, ruling } = candidates[place]!;
        if (changed) states[this.#indexOf(claim + place)] = state;
        ruled[place] = ruling!;
      }
      rulings[check] = ruled;
      claim += group.length;
    }
    return rulings;
  }

  #indexOf(claim: number): number {
    return this.#indexes ? this.#indexes[claim]! : claim;
  }
}

/** The script reads a key by one policy: false when a key appears under two. */
function hasOnePolicyPerKey({ keys, indexes }: DistinctKeys, policies: number): boolean {
  if (indexes === undefined) return true;
  const placeOf = new Array<number>(keys.length);
  return indexes.every((index, claim) => (placeOf[index] ??= claim % policies) === claim % policies);
}

function isAdmitted(rulings: readonly Ruling[] | string): boolean {
  for (let index = 0; index < rulings.length; index += 1) if ((rulings[index] as Ruling).retryAfter !== 0) return false;
  return true;
}

function isNumber(item: ReplyItem): boolean {
  return typeof item === 'number';
}

function isEnforcedUnit({ cost, shadow, charge, record }: Claim): boolean {
  return cost === 1 && !shadow && charge === 'admitted' && record === undefined;
}
