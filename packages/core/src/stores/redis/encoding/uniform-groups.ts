import { candidate, consumeGroup, type Candidate } from '../../../algorithms/group.js';
import { algorithmOf } from '../../../algorithms/index.js';
import type { Claim } from '../../../model/claim.js';
import type { Policy } from '../../../model/policy.js';
import type { Ruling } from '../../../model/ruling.js';
import type { Script } from '../lua/script.js';
import { scripts } from '../lua/scripts.js';
import { isNumber, parseReply, RulingReader } from './reply.js';
import {
  dedupeKeys,
  fastPathOf,
  policyArguments,
  type Check,
  type DecodedReply,
  type DistinctKeys,
  type FastPath,
  type ScriptRequest,
} from './script-request.js';

/** From this many groups on, the script charges all of them before it reads, unless a recent one was denied. */
const MIN_OPTIMISTIC_GROUPS = 4;

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

  private constructor(path: FastPath, checks: readonly Check[], { keys, indexes }: DistinctKeys) {
    const policies = policiesOf(checks);
    this.script = scripts[`groups-${path}`];
    this.#checks = checks;
    this.keys = keys;
    this.#indexes = indexes;
    const isOptimistic = path === 'fw' && checks.length >= MIN_OPTIMISTIC_GROUPS && !recentlyDenied.has(policies[0]!);
    const count = isOptimistic ? -policies.length : policies.length;
    const args = [count, ...policies.flatMap(policyArguments)];
    // Lua counts from 1.
    this.args = indexes ? [...args, ...indexes.map((index) => index + 1)] : args;
  }

  /** Undefined when the groups differ in more than their keys, or have no fast path in common. */
  static of(checks: readonly Check[]): UniformGroups | undefined {
    const policies = policiesOf(checks);
    const path = fastPathOf(policies[0]!);
    if (path === undefined || !policies.every((policy) => fastPathOf(policy) === path)) return undefined;
    const keys: string[] = [];
    for (const { group, isPeek } of checks) {
      if (isPeek || group.length !== policies.length) return undefined;
      for (let place = 0; place < group.length; place += 1) {
        const claim = group[place]!;
        if (claim.policy !== policies[place] || !isEnforcedUnit(claim)) return undefined;
        keys.push(claim.key);
      }
    }
    const distinct = dedupeKeys(keys);
    return hasOnePolicyPerKey(distinct, policies.length) ? new UniformGroups(path, checks, distinct) : undefined;
  }

  decode(reply: unknown): DecodedReply {
    const items = parseReply(reply);
    const now = items[0] as number;
    // The fast path replies with one number a key, the general path with four or more a claim.
    if (items.length === this.keys.length + 1 && items.every(isNumber)) {
      return { now, rulings: this.#rule(items, now) };
    }
    recentlyDenied.add(this.#checks[0]!.group[0]!.policy);
    const reader = new RulingReader(items, 1);
    return { now, rulings: this.#checks.map(({ group }) => reader.nextGroup(group, false)) };
  }

  #rule(numbers: readonly number[], now: number): DecodedReply['rulings'] {
    const { packing } = algorithmOf(policiesOf(this.#checks)[0]!);
    const states = new Array<unknown>(this.keys.length);
    const rulings = this.#checks.map(({ group }, check) => {
      const first = check * group.length;
      for (let place = 0; place < group.length; place += 1) {
        const index = this.#indexOf(first + place);
        const { policy } = group[place]!;
        states[index] ??= packing!.unpack(numbers[index + 1]!, Math.floor(now / policy.tick), policy);
      }
      return this.#ruleOn(group, first, states, now);
    });
    const { policy } = this.#checks[0]!.group[0]!;
    if (rulings.every(isAdmitted)) recentlyDenied.delete(policy);
    else recentlyDenied.add(policy);
    return rulings;
  }

  /** @param first the number of its first claim among all */
  #ruleOn(group: readonly Claim[], first: number, states: unknown[], now: number): readonly Ruling[] {
    const candidates = new Array<Candidate>(group.length);
    for (let place = 0; place < group.length; place += 1) {
      candidates[place] = candidate(group[place]!, states[this.#indexOf(first + place)]);
    }
    consumeGroup(candidates, now);
    const rulings = new Array<Ruling>(group.length);
    for (let place = 0; place < group.length; place += 1) {
      const { state, changed, ruling } = candidates[place]!;
      if (changed) states[this.#indexOf(first + place)] = state;
      rulings[place] = ruling!;
    }
    return rulings;
  }

  #indexOf(claim: number): number {
    return this.#indexes ? this.#indexes[claim]! : claim;
  }
}

function policiesOf(checks: readonly Check[]): readonly Policy[] {
  return checks[0]!.group.map(({ policy }) => policy);
}

/** The script reads a key by one policy: false when a key appears under two. */
function hasOnePolicyPerKey({ keys, indexes }: DistinctKeys, policies: number): boolean {
  if (indexes === undefined) return true;
  const placeOf = new Array<number>(keys.length);
  return indexes.every((index, claim) => (placeOf[index] ??= claim % policies) === claim % policies);
}

function isAdmitted(rulings: readonly Ruling[]): boolean {
  for (let index = 0; index < rulings.length; index += 1) if (rulings[index]!.retryAfter !== 0) return false;
  return true;
}

function isEnforcedUnit({ cost, shadow, countDenied, record }: Claim): boolean {
  return cost === 1 && !shadow && !countDenied && record === undefined;
}
