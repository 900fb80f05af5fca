import { candidate, consumeGroup, type Candidate } from '../../algorithms/group.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import type { Ruling } from '../../model/ruling.js';
import { DescribedClaims } from './described-claims.js';
import { foundState } from './found-state.js';
import { isNumber, policyArguments, type AskedGroup, type Question, type Ruled, type Told } from './question.js';

/**
 * Groups of a unit each under the same fixed windows, as those of one limiter are: the policies are said once, and nothing
 * of the claims. They are ruled on here, as single units are.
 */
export class EqualGroups implements Question {
  readonly scriptName = 'groups-fw';
  /** Each once. */
  readonly keys: readonly string[];
  readonly arguments: readonly (string | number)[];
  readonly #asked: readonly AskedGroup[];
  /** For each claim, group by group, the number of its key; undefined where all of them are different. */
  readonly #numbers: readonly number[] | undefined;

  private constructor(
    policies: readonly Policy[],
    asked: readonly AskedGroup[],
    keys: readonly string[],
    numbers: readonly number[] | undefined,
  ) {
    this.#asked = asked;
    this.keys = keys;
    this.#numbers = numbers;
    const told = [policies.length, ...policies.flatMap(policyArguments)];
    // Lua counts from 1.
    this.arguments = numbers ? [...told, ...numbers.map((number) => number + 1)] : told;
  }

  static of(asked: readonly AskedGroup[]): EqualGroups | undefined {
    const policies = asked[0]!.group.map(({ policy }) => policy);
    if (!policies.every(({ algorithm }) => algorithm === 'fixed-window')) return undefined;
    const keys: string[] = [];
    for (const { group, peek } of asked) {
      if (peek || group.length !== policies.length) return undefined;
      for (let place = 0; place < group.length; place += 1) {
        const claim = group[place]!;
        if (claim.policy !== policies[place] || !isEnforcedUnit(claim)) return undefined;
        keys.push(claim.key);
      }
    }
    const different = new Set(keys);
    if (different.size === keys.length) return new EqualGroups(policies, asked, keys, undefined);
    const numbers = numbersOf(keys, policies.length);
    return numbers && new EqualGroups(policies, asked, [...different], numbers);
  }

  read(reply: readonly Told[]): Ruled {
    const now = reply[0] as number;
    // A number each, where a claim that is described takes four of them.
    if (reply.length === this.keys.length + 1 && reply.every(isNumber)) {
      return { now, rulings: this.#rule(reply as readonly number[], now) };
    }
    const claims = new DescribedClaims(reply, 1);
    return { now, rulings: this.#asked.map(({ group }) => claims.next(group, false)) };
  }

  #rule(reply: readonly number[], now: number): Ruled['rulings'] {
    const states = new Array<unknown>(this.keys.length);
    return this.#asked.map(({ group }, index) => {
      const first = index * group.length;
      const candidates = new Array<Candidate>(group.length);
      for (let place = 0; place < group.length; place += 1) {
        const claim = group[place]!;
        const number = this.#numberOf(first + place);
        states[number] ??= foundState(claim.policy, now, reply[number + 1]!);
        candidates[place] = candidate(claim, states[number]);
      }
      consumeGroup(candidates, now);
      const rulings = new Array<Ruling>(group.length);
      for (let place = 0; place < group.length; place += 1) {
        const { state, changed, ruling } = candidates[place]!;
        if (changed) states[this.#numberOf(first + place)] = state;
        rulings[place] = ruling!;
      }
      return rulings;
    });
  }

  #numberOf(claim: number): number {
    return this.#numbers ? this.#numbers[claim]! : claim;
  }
}

/** Numbers different keys in their order; undefined where one of them is under two policies. */
function numbersOf(keys: readonly string[], policies: number): readonly number[] | undefined {
  const known = new Map<string, { number: number; place: number }>();
  const numbers: number[] = [];
  for (const [index, key] of keys.entries()) {
    const place = index % policies;
    const first = known.get(key) ?? { number: known.size, place };
    if (first.place !== place) return undefined;
    known.set(key, first);
    numbers.push(first.number);
  }
  return numbers;
}

function isEnforcedUnit({ cost, shadow, countDenied, record }: Claim): boolean {
  return cost === 1 && !shadow && !countDenied && record === undefined;
}
