import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import type { AlgorithmCode, Policy } from '../../model/policy.js';
import type { Ruling } from '../../model/ruling.js';
import { toAnswer } from '../answer.js';
import type { Answer } from '../store.js';
import { readRulings } from './check-reply.js';
import { hashTag } from './hash-tag.js';
import { unreadable } from './redis-error.js';
import type { Script } from './redis-client.js';
import { scripts } from './scripts.js';

const GROUPS_MAX = 32;
const CLAIMS_MAX = 96;
/** Units of logs: each is an entry that is written. */
const ENTRIES_MAX = 1_000;

const LAST = 1;
const SHADOW = 2;
const COUNT_DENIED = 4;
const PEEK = 8;
const RECORDED = 16;

/** No tier can hold as much: limits end at 2^32 - 1. */
const COST_MAX = 2 ** 33 - 1;

/** A group of claims that waits for its answer. */
export interface Check {
  readonly group: readonly Claim[];
  readonly peek: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Checks that travel together: the script and what it is called with, and how its reply is read. */
export class CheckCall {
  /** When the first of them was asked for, in milliseconds of `performance.now()`. */
  readonly asked: number;
  readonly #keys = new Map<string, number>();
  readonly #policies = new Map<Policy, number>();
  readonly #policyArguments: (string | number)[] = [];
  readonly #codes: number[] = [];
  readonly #recordKeys: string[] = [];
  readonly #records: string[] = [];
  readonly #checks: Check[] = [];
  #algorithm: AlgorithmCode | 'any' | undefined;
  #entries = 0;
  /** Each check is one unit of a key of its own. */
  #plain = true;

  constructor(asked: number) {
    this.asked = asked;
  }

  get groups(): number {
    return this.#checks.length;
  }

  get full(): boolean {
    return this.#checks.length >= GROUPS_MAX || this.#codes.length >= CLAIMS_MAX || this.#entries >= ENTRIES_MAX;
  }

  hasRoomFor(group: readonly Claim[]): boolean {
    if (this.#checks.length === 0) return true;
    return (
      this.#checks.length < GROUPS_MAX &&
      this.#codes.length + group.length <= CLAIMS_MAX &&
      this.#entries + entriesOf(group) <= ENTRIES_MAX
    );
  }

  add(check: Check): void {
    const { group, peek } = check;
    this.#checks.push(check);
    this.#entries += entriesOf(group);
    if (peek || group.length > 1) this.#plain = false;
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
      if (claim.cost !== 1 || flags >= COUNT_DENIED) this.#plain = false;
      const cost = Math.min(claim.cost, COST_MAX);
      const policy = this.#indexOfPolicy(claim.policy);
      this.#codes.push(((cost * 128 + policy) * 128 + this.#indexOfKey(claim.key)) * 32 + flags);
    }
  }

  /** The script that can do just what is asked for: the less it defines, the sooner it is done. */
  get scriptName(): keyof typeof scripts {
    return `${this.#isPlain ? 'singles' : 'consume'}-${this.#algorithm ?? 'any'}`;
  }

  get script(): Script {
    return scripts[this.scriptName];
  }

  get keys(): string[] {
    return [...this.#keys.keys(), ...this.#recordKeys];
  }

  get arguments(): (string | number)[] {
    if (this.#isPlain) return this.#policyArguments;
    return [this.#policies.size, ...this.#policyArguments, ...this.#codes, ...this.#records];
  }

  /** Gives every check its part of the reply. */
  answer(reply: unknown): void {
    const { now, rulings } = this.read(reply);
    for (const [index, ruled] of rulings.entries()) {
      const { group, resolve, reject } = this.#checks[index]!;
      if (typeof ruled === 'string') reject(unreadable(ruled));
      else resolve(toAnswer(group, ruled, now, 'redis'));
    }
  }

  /** The rulings of each check in order, or why it could not be decided. */
  read(reply: unknown): { now: number; rulings: readonly (readonly Ruling[] | string)[] } {
    return readRulings(this.#checks, reply);
  }

  fail(error: unknown): void {
    for (const { reject } of this.#checks) reject(error);
  }

  get #isPlain(): boolean {
    return this.#plain && this.#policies.size === 1 && this.#keys.size === this.#checks.length;
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

/** A policy as the scripts read it. */
export function policyArguments(policy: Policy): (string | number)[] {
  return [algorithmOf(policy).code, policy.numbers.length, ...policy.numbers];
}

/** Where the texts are kept that are recorded with a key: in its slot. */
export function recordKey(key: string): string {
  return hashTag(key) === key ? `{${key}}:notes` : `${key}:notes`;
}

function entriesOf(group: readonly Claim[]): number {
  let entries = 0;
  for (const { policy, cost } of group) {
    if (policy.algorithm === 'sliding-window-log') entries += Math.min(cost, policy.capacity);
  }
  return entries;
}
