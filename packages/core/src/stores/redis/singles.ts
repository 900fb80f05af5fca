import { candidate, consumeNext } from '../../algorithms/group.js';
import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import type { AlgorithmCode, Policy } from '../../model/policy.js';
import type { Ruling } from '../../model/ruling.js';
import { DescribedClaims } from './described-claims.js';
import { distinctKeys } from './distinct-keys.js';
import { foundState } from './found-state.js';
import { policyArguments, type AskedGroup, type Question, type Ruled, type Told } from './question.js';

/**
 * A unit each of keys under one policy. The units of a key that is asked for often go as one number, for the script charges
 * as many as fit. Where it tells what it has found they are ruled on here, at the time that it was there, by the functions
 * whose twins have decided.
 */
export class Singles implements Question {
  readonly scriptName: `singles-${AlgorithmCode}`;
  readonly keys: readonly string[];
  readonly arguments: readonly (string | number)[];
  readonly #policy: Policy;
  readonly #claims: readonly Claim[];
  /** For each claim the number of its key among different ones; undefined where all of them are different. */
  readonly #numbers: readonly number[] | undefined;

  /** @param claims one for each check */
  constructor(policy: Policy, claims: readonly Claim[]) {
    this.#policy = policy;
    this.#claims = claims;
    this.scriptName = `singles-${algorithmOf(policy).code}`;
    this.arguments = policyArguments(policy);
    const { keys, numbers } = distinctKeys(claims.map(({ key }) => key));
    this.keys = keys;
    if (!numbers) return;
    this.#numbers = numbers;
    const units = new Array<number>(keys.length).fill(0);
    for (const number of numbers) units[number]! += 1;
    this.arguments = [...this.arguments, ...units];
  }

  static of(asked: readonly AskedGroup[]): Singles | undefined {
    const { policy } = asked[0]!.group[0]!;
    const claims: Claim[] = [];
    for (const { group, isPeek: peek } of asked) {
      const claim = group[0]!;
      if (peek || group.length > 1 || claim.policy !== policy || !isOneUnit(claim)) return undefined;
      claims.push(claim);
    }
    return new Singles(policy, claims);
  }

  read(reply: readonly Told[]): Ruled {
    const now = reply[0] as number;
    const policy = this.#policy;
    const algorithm = algorithmOf(policy);
    const states = new Array<unknown>(this.keys.length);
    /** What is told by no state. */
    let others: Map<number, string | DescribedClaims> | undefined;
    for (let key = 0; key < states.length; key += 1) {
      const told = reply[key + 1]!;
      if (typeof told === 'number') states[key] = foundState(policy, now, told);
      else (others ??= new Map()).set(key, typeof told === 'string' ? told : new DescribedClaims(told, 0));
    }
    const rulings = new Array<readonly Ruling[] | string>(this.#claims.length);
    const each = candidate(this.#claims[0]!, undefined, algorithm);
    for (let index = 0; index < rulings.length; index += 1) {
      const claim = this.#claims[index]!;
      const key = this.#numbers ? this.#numbers[index]! : index;
      const other = others?.get(key);
      if (other !== undefined) {
        rulings[index] = typeof other === 'string' ? other : other.rulings([claim], false);
        continue;
      }
      rulings[index] = [consumeNext(each, claim, states[key], now)];
      if (each.changed) states[key] = each.state;
    }
    return { now, rulings };
  }
}

function isOneUnit({ cost, countDenied, record }: Claim): boolean {
  return cost === 1 && !countDenied && record === undefined;
}
