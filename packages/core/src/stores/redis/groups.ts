import { algorithmOf } from '../../algorithms/index.js';
import type { AlgorithmCode, Policy } from '../../model/policy.js';
import { DescribedClaims } from './described-claims.js';
import { hashTag } from './client/hash-tag.js';
import { policyArguments, type AskedGroup, type Question, type Ruled, type Told } from './question.js';

const LAST = 1;
const SHADOW = 2;
const COUNT_DENIED = 4;
const PEEK = 8;
const RECORDED = 16;

/** No tier can hold as much: limits end at 2^32 - 1. */
const COST_MAX = 2 ** 33 - 1;

/** Groups of any claims, each of which the script describes. */
export class Groups implements Question {
  readonly #asked: readonly AskedGroup[];
  readonly #keys = new Map<string, number>();
  readonly #policies = new Map<Policy, number>();
  readonly #policyArguments: (string | number)[] = [];
  readonly #codes: number[] = [];
  readonly #recordKeys: string[] = [];
  readonly #records: string[] = [];
  /** The script that can do just what is asked for: the less it defines, the sooner it is done. */
  #algorithm: AlgorithmCode | 'any' | undefined;

  constructor(asked: readonly AskedGroup[]) {
    this.#asked = asked;
    for (const each of asked) this.#add(each);
  }

  get scriptName(): `consume-${AlgorithmCode | 'any'}` {
    return `consume-${this.#algorithm ?? 'any'}`;
  }

  get keys(): readonly string[] {
    return [...this.#keys.keys(), ...this.#recordKeys];
  }

  get arguments(): readonly (string | number)[] {
    return [this.#policies.size, ...this.#policyArguments, ...this.#codes, ...this.#records];
  }

  read(reply: readonly Told[]): Ruled {
    const claims = new DescribedClaims(reply, 1);
    return { now: reply[0] as number, rulings: this.#asked.map(({ group, isPeek: peek }) => claims.next(group, peek)) };
  }

  #add({ group, isPeek: peek }: AskedGroup): void {
    for (let index = 0; index < group.length; index += 1) {
      const claim = group[index]!;
      let flags = index === group.length - 1 ? LAST : 0;
      if (claim.shadow) flags += SHADOW;
      if (claim.countDenied) flags += COUNT_DENIED;
      if (peek) flags += PEEK;
      if (claim.record !== undefined && !peek) {
        flags += RECORDED;
        this.#recordKeys.push(recordKey(claim.key));
        this.#records.push(claim.record);
      }
      const cost = Math.min(claim.cost, COST_MAX);
      const policy = this.#indexOfPolicy(claim.policy);
      this.#codes.push(((cost * 128 + policy) * 128 + this.#indexOfKey(claim.key)) * 32 + flags);
    }
  }

  #indexOfKey(key: string): number {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    this.#keys.set(key, this.#keys.size);
    return this.#keys.size - 1;
  }

  #indexOfPolicy(policy: Policy): number {
    const known = this.#policies.get(policy);
    if (known !== undefined) return known;
    this.#policies.set(policy, this.#policies.size);
    this.#policyArguments.push(...policyArguments(policy));
    const { code } = algorithmOf(policy);
    this.#algorithm = this.#algorithm === undefined || this.#algorithm === code ? code : 'any';
    return this.#policies.size - 1;
  }
}

/** Where the texts are kept that are recorded with a key: in its slot. */
export function recordKey(key: string): string {
  return hashTag(key) === key ? `{${key}}:notes` : `${key}:notes`;
}
