import { candidate, consumeNext } from '../../../algorithms/group.js';
import { algorithmOf } from '../../../algorithms/index.js';
import type { Claim } from '../../../model/claim.js';
import type { AlgorithmCode, Policy } from '../../../model/policy.js';
import type { Ruling } from '../../../model/ruling.js';
import { scripts } from '../lua/scripts.js';
import { decodeState } from './decode-state.js';
import { dedupeKeys } from './dedupe-keys.js';
import { parseReply, RulingReader } from './reply.js';
import { policyArguments, type Check, type DecodedReply, type ScriptRequest } from './script-request.js';

/**
 * Checks of one unit of one key each, all under one policy: the normal traffic of a limiter with one tier. The script
 * charges each key as many units as fit, and replies with the state that it found. `decode` decides each check again, from
 * that state and with the server's time.
 */
export class UnitChecks implements ScriptRequest {
  readonly script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  readonly #policy: Policy;
  /** One for each check. */
  readonly #claims: readonly Claim[];
  /** For each claim the index of its key; undefined when all keys differ. */
  readonly #indexes: readonly number[] | undefined;

  private constructor(policy: Policy, claims: readonly Claim[]) {
    const { keys, indexes } = dedupeKeys(claims.map(({ key }) => key));
    this.script = scripts[`units-${algorithmOf(policy).code}` satisfies `units-${AlgorithmCode}`];
    this.keys = keys;
    this.args = policyArguments(policy);
    this.#policy = policy;
    this.#claims = claims;
    this.#indexes = indexes;
    if (indexes) this.args = [...this.args, ...unitsOf(keys, indexes)];
  }

  /** Undefined when the checks differ in more than their keys. */
  static of(checks: readonly Check[]): UnitChecks | undefined {
    const { policy } = checks[0]!.group[0]!;
    const claims: Claim[] = [];
    for (const { group, isPeek } of checks) {
      const claim = group[0]!;
      if (isPeek || group.length > 1 || claim.policy !== policy || !isOneUnit(claim)) return undefined;
      claims.push(claim);
    }
    return new UnitChecks(policy, claims);
  }

  decode(reply: unknown): DecodedReply {
    const items = parseReply(reply);
    const now = items[0] as number;
    const policy = this.#policy;
    const states = new Array<unknown>(this.keys.length);
    /** The errors and the rulings of keys that the fast path has left over. */
    let leftover: Map<number, string | RulingReader> | undefined;
    for (let index = 0; index < states.length; index += 1) {
      const item = items[index + 1]!;
      if (typeof item === 'number') states[index] = decodeState(policy, now, item);
      else (leftover ??= new Map()).set(index, typeof item === 'string' ? item : new RulingReader(item, 0));
    }
    const rulings = new Array<readonly Ruling[] | string>(this.#claims.length);
    const each = candidate(this.#claims[0]!, undefined, algorithmOf(policy));
    for (let place = 0; place < rulings.length; place += 1) {
      const claim = this.#claims[place]!;
      const index = this.#indexes ? this.#indexes[place]! : place;
      const left = leftover?.get(index);
      if (left !== undefined) {
        rulings[place] = typeof left === 'string' ? left : left.nextRulings([claim], false);
        continue;
      }
      rulings[place] = [consumeNext(each, claim, states[index], now)];
      if (each.changed) states[index] = each.state;
    }
    return { now, rulings };
  }
}

function isOneUnit({ cost, countDenied, record }: Claim): boolean {
  return cost === 1 && !countDenied && record === undefined;
}

/** How many units of each key the checks request. */
function unitsOf(keys: readonly string[], indexes: readonly number[]): readonly number[] {
  const units = new Array<number>(keys.length).fill(0);
  for (const index of indexes) units[index]! += 1;
  return units;
}
