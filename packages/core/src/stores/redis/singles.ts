import { candidate, consumeGroup } from '../../algorithms/group.js';
import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import type { AlgorithmCode, Policy } from '../../model/policy.js';
import type { Ruling } from '../../model/ruling.js';
import { DescribedClaims } from './described-claims.js';
import { foundState, numbersOfState } from './found-state.js';
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

  /** @param claims one for each check */
  constructor(policy: Policy, claims: readonly Claim[]) {
    this.#policy = policy;
    this.#claims = claims;
    this.scriptName = `singles-${algorithmOf(policy).code}`;
    const keys = claims.map(({ key }) => key);
    const numbers = policyArguments(policy);
    if (new Set(keys).size === keys.length) {
      this.keys = keys;
      this.arguments = numbers;
      return;
    }
    const units = new Map<string, number>();
    for (const key of keys) units.set(key, (units.get(key) ?? 0) + 1);
    this.keys = [...units.keys()];
    this.arguments = [...numbers, ...units.values()];
  }

  static of(asked: readonly AskedGroup[]): Singles | undefined {
    const { policy } = asked[0]!.group[0]!;
    const claims: Claim[] = [];
    for (const { group, peek } of asked) {
      const claim = group[0]!;
      if (peek || group.length > 1 || claim.policy !== policy || !isOneUnit(claim)) return undefined;
      claims.push(claim);
    }
    return new Singles(policy, claims);
  }

  read(reply: readonly Told[]): Ruled {
    const now = reply[0] as number;
    const numbers = numbersOfState(this.#policy);
    let place = 1;
    const found = this.keys.map(() => {
      const told = reply[place]!;
      const key = new FoundKey(this.#policy, now, told, reply[place + 1]);
      place += typeof told === 'number' ? numbers : 1;
      return key;
    });
    if (found.length === this.#claims.length) {
      return { now, rulings: this.#claims.map((claim, index) => found[index]!.rule(claim)) };
    }
    const byKey = new Map(this.keys.map((key, index) => [key, found[index]!]));
    return { now, rulings: this.#claims.map((claim) => byKey.get(claim.key)!.rule(claim)) };
  }
}

/** What was told of a key: rules on the units that are asked of it, one after the other. */
class FoundKey {
  readonly #now: number;
  readonly #problem: string | undefined;
  readonly #described: DescribedClaims | undefined;
  #state: unknown;

  constructor(policy: Policy, now: number, told: Told, expires: Told | undefined) {
    this.#now = now;
    if (typeof told === 'number') this.#state = foundState(policy, now, told, expires as number);
    else if (typeof told === 'string') this.#problem = told;
    else this.#described = new DescribedClaims(told, 0);
  }

  rule(claim: Claim): readonly Ruling[] | string {
    if (this.#problem !== undefined) return this.#problem;
    if (this.#described) return this.#described.rulings([claim], false);
    const ruled = candidate(claim, this.#state);
    consumeGroup([ruled], this.#now);
    if (ruled.changed) this.#state = ruled.state;
    return [ruled.ruling!];
  }
}

function isOneUnit({ cost, countDenied, record }: Claim): boolean {
  return cost === 1 && !countDenied && record === undefined;
}
