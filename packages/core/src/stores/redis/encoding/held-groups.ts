import type { Claim } from '../../../model/claim.js';
import type { Script } from '../lua/script.js';
import { scripts } from '../lua/scripts.js';
import { decideAgain } from './decide-again.js';
import { RulingReader } from './ruling-reader.js';
import {
  dedupeKeys,
  fastPathOf,
  parseReply,
  policyArguments,
  timeOf,
  type Check,
  type DecodedReply,
  type DistinctKeys,
  type ScriptRequest,
} from './script-request.js';
import { areStates, hasOnePolicyPerKey, isEnforcedUnit, isGroupPath, type GroupPath } from './uniform-groups.js';

/**
 * Checks of cost 1 that all have the same policies in the same order, one of which holds a permit: the normal traffic of a
 * limiter with a `concurrency` tier. The policies are sent once, and `decode` decides each group again.
 */
export class HeldGroups implements ScriptRequest {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  readonly #checks: readonly Check[];
  /** For each claim, group by group, the index of its key. */
  readonly #indexes: readonly number[];

  private constructor(
    path: GroupPath,
    checks: readonly Check[],
    heldPlace: number,
    rates: DistinctKeys,
    permits: DistinctKeys,
  ) {
    const { group } = checks[0]!;
    const isRepeated = rates.indexes !== undefined || permits.indexes !== undefined;
    const indexes: number[] = [];
    // Lua counts from 1.
    const args: (string | number)[] = [group.length, heldPlace + 1, rates.keys.length, checks.length];
    for (const { policy } of group) args.push(...policyArguments(policy));
    let rate = 0;
    for (let check = 0; check < checks.length; check += 1) {
      args.push(checks[check]!.group[heldPlace]!.name!);
      for (let place = 0; place < group.length; place += 1) {
        if (place === heldPlace) indexes.push(rates.keys.length + indexOf(permits, check));
        else {
          indexes.push(indexOf(rates, rate));
          rate += 1;
        }
      }
    }
    if (isRepeated) for (const index of indexes) args.push(index + 1);
    this.script = scripts[`held-${path}`];
    this.keys = rates.keys.length === 0 ? permits.keys : [...rates.keys, ...permits.keys];
    this.args = args;
    this.#checks = checks;
    this.#indexes = indexes;
  }

  /** Undefined when the groups differ in more than their keys, hold another number of permits, or have no fast path. */
  static of(checks: readonly Check[]): HeldGroups | undefined {
    const first = checks[0]!.group;
    const heldPlace = first.findIndex(isHeld);
    if (heldPlace < 0) return undefined;
    // Without a rate any script will do.
    const path = first.length === 1 ? 'fw' : fastPathOf(first[heldPlace === 0 ? 1 : 0]!.policy);
    if (!isGroupPath(path)) return undefined;
    const rates: string[] = [];
    const permits: string[] = [];
    for (const { group, isPeek } of checks) {
      if (isPeek || group.length !== first.length) return undefined;
      for (let place = 0; place < group.length; place += 1) {
        const claim = group[place]!;
        if (claim.policy !== first[place]!.policy || !isEnforcedUnit(claim)) return undefined;
        if (place === heldPlace) permits.push(claim.key);
        else if (fastPathOf(claim.policy) === path) rates.push(claim.key);
        else return undefined;
      }
    }
    const distinct = dedupeKeys(rates);
    if (!hasOnePolicyPerKey(distinct, first.length - 1)) return undefined;
    return new HeldGroups(path, checks, heldPlace, distinct, dedupeKeys(permits));
  }

  decode(reply: unknown): DecodedReply {
    const items = parseReply(reply);
    const rulings = areStates(items, this.keys)
      ? decideAgain(this.#checks, items, this.#indexes)
      : new RulingReader(items, 1).lastGroups(this.#checks);
    return { now: timeOf(items), rulings };
  }
}

function isHeld({ policy }: Claim): boolean {
  return policy.kind === 'running';
}

function indexOf({ indexes }: DistinctKeys, given: number): number {
  return indexes ? indexes[given]! : given;
}
