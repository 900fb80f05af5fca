import { candidate, consumeGroup, type Candidate } from '../../algorithms/group.js';
import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import type { AlgorithmName, Policy } from '../../model/policy.js';
import type { Ruling } from '../../model/ruling.js';
import { DescribedClaims } from './described-claims.js';
import { distinctKeys, type DistinctKeys } from './distinct-keys.js';
import { foundState } from './found-state.js';
import { isNumber, policyArguments, type AskedGroup, type Question, type Ruled, type Told } from './question.js';

/** So many groups of windows are charged at once, where there was room for those before them. A denial alone writes nothing. */
const AT_ONCE = 4;

/** The first policies of groups that did not all fit lately, or were not all what is mostly there. */
const deniedLately = new WeakSet<Policy>();

/** Algorithms that have a script for such groups. */
const GROUPED: readonly AlgorithmName[] = ['fixed-window', 'sliding-window', 'token-bucket'];
type GroupedCode = 'fw' | 'sw' | 'tb';

/**
 * Groups of a unit each under the same windows or the same buckets, as those of one limiter are: the policies are said
 * once, and nothing of the claims. They are ruled on here, as single units are.
 */
export class EqualGroups implements Question {
  readonly scriptName: `groups-${GroupedCode}`;
  /** Each once. */
  readonly keys: readonly string[];
  readonly arguments: readonly (string | number)[];
  readonly #asked: readonly AskedGroup[];
  /** For each claim, group by group, the number of its key; undefined where all of them are different. */
  readonly #numbers: readonly number[] | undefined;

  private constructor(policies: readonly Policy[], asked: readonly AskedGroup[], { keys, numbers }: DistinctKeys) {
    const code = algorithmOf(policies[0]!).code as GroupedCode;
    this.scriptName = `groups-${code}`;
    this.#asked = asked;
    this.keys = keys;
    this.#numbers = numbers;
    const isCharged = code === 'fw' && asked.length >= AT_ONCE && !deniedLately.has(policies[0]!);
    const count = isCharged ? -policies.length : policies.length;
    const told = [count, ...policies.flatMap(policyArguments)];
    // Lua counts from 1.
    this.arguments = numbers ? [...told, ...numbers.map((number) => number + 1)] : told;
  }

  static of(asked: readonly AskedGroup[]): EqualGroups | undefined {
    const policies = asked[0]!.group.map(({ policy }) => policy);
    if (!GROUPED.some((name) => policies.every(({ algorithm }) => algorithm === name))) return undefined;
    const keys: string[] = [];
    for (const { group, isPeek: peek } of asked) {
      if (peek || group.length !== policies.length) return undefined;
      for (let place = 0; place < group.length; place += 1) {
        const claim = group[place]!;
        if (claim.policy !== policies[place] || !isEnforcedUnit(claim)) return undefined;
        keys.push(claim.key);
      }
    }
    const different = distinctKeys(keys);
    return isOfOnePlaceEach(different, policies.length) ? new EqualGroups(policies, asked, different) : undefined;
  }

  read(reply: readonly Told[]): Ruled {
    const now = reply[0] as number;
    // A number each, where a claim that is described takes four of them.
    if (reply.length === this.keys.length + 1 && reply.every(isNumber)) {
      return { now, rulings: this.#rule(reply as readonly number[], now) };
    }
    deniedLately.add(this.#asked[0]!.group[0]!.policy);
    const claims = new DescribedClaims(reply, 1);
    return { now, rulings: this.#asked.map(({ group }) => claims.next(group, false)) };
  }

  #rule(reply: readonly number[], now: number): Ruled['rulings'] {
    const states = new Array<unknown>(this.keys.length);
    const rulings = this.#asked.map(({ group }, index) => {
      const first = index * group.length;
      for (let place = 0; place < group.length; place += 1) {
        const number = this.#numberOf(first + place);
        states[number] ??= foundState(group[place]!.policy, now, reply[number + 1]!);
      }
      return this.#ruleOn(group, first, states, now);
    });
    const { policy } = this.#asked[0]!.group[0]!;
    if (rulings.every(isAdmitted)) deniedLately.delete(policy);
    else deniedLately.add(policy);
    return rulings;
  }

  /** @param first the number of its first claim among all */
  #ruleOn(group: readonly Claim[], first: number, states: unknown[], now: number): readonly Ruling[] {
    const candidates = new Array<Candidate>(group.length);
    for (let place = 0; place < group.length; place += 1) {
      candidates[place] = candidate(group[place]!, states[this.#numberOf(first + place)]);
    }
    consumeGroup(candidates, now);
    const rulings = new Array<Ruling>(group.length);
    for (let place = 0; place < group.length; place += 1) {
      const { state, changed, ruling } = candidates[place]!;
      if (changed) states[this.#numberOf(first + place)] = state;
      rulings[place] = ruling!;
    }
    return rulings;
  }

  #numberOf(claim: number): number {
    return this.#numbers ? this.#numbers[claim]! : claim;
  }
}

/** Nobody asks for a key under two policies. */
function isOfOnePlaceEach({ keys, numbers }: DistinctKeys, places: number): boolean {
  if (numbers === undefined) return true;
  const placeOf = new Array<number>(keys.length);
  return numbers.every((number, index) => (placeOf[number] ??= index % places) === index % places);
}

function isAdmitted(rulings: readonly Ruling[]): boolean {
  for (let index = 0; index < rulings.length; index += 1) if (rulings[index]!.retryAfter !== 0) return false;
  return true;
}

function isEnforcedUnit({ cost, shadow, countDenied, record }: Claim): boolean {
  return cost === 1 && !shadow && !countDenied && record === undefined;
}
