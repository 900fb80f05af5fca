import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import type { Ruling } from '../../model/ruling.js';
import type { scripts } from './scripts.js';

/** A group of claims that is asked about. */
export interface AskedGroup {
  readonly group: readonly Claim[];
  readonly isPeek: boolean;
}

/** Groups as a script is asked about them, and how its reply is read. */
export interface Question {
  readonly scriptName: keyof typeof scripts;
  readonly keys: readonly string[];
  readonly arguments: readonly (string | number)[];
  read(reply: readonly Told[]): Ruled;
}

/** A number, a text of an error, or several of them. */
export type Told = number | string | readonly Told[];

export interface Ruled {
  /** The server's microseconds. */
  readonly now: number;
  /** The rulings of each group in order, or why it could not be decided. */
  readonly rulings: readonly (readonly Ruling[] | string)[];
}

/** Bytes. */
const DOUBLE = 8;

// To write the numbers anew for each call takes longer than to find them.
const written = new WeakMap<Policy, readonly string[]>();

/** A policy as the scripts read it. */
export function policyArguments(policy: Policy): readonly string[] {
  const known = written.get(policy);
  if (known) return known;
  const made = [algorithmOf(policy).code, policy.numbers.length, ...policy.numbers].map(String);
  written.set(policy, made);
  return made;
}

/** A reply of integers and error texts: packed, or as an array, also of a client that has every number as a string. */
export function toldBy(reply: unknown): readonly Told[] {
  if (Buffer.isBuffer(reply)) return doublesOf(reply);
  const told = reply as readonly Told[];
  if (told.every(isNumber)) return told;
  return told.map((each) => {
    if (typeof each === 'number') return each;
    if (typeof each === 'object' && Buffer.isBuffer(each)) return each.toString();
    if (typeof each !== 'string') return toldBy(each);
    const number = Number(each);
    return Number.isNaN(number) ? each : number;
  });
}

function doublesOf(packed: Buffer): readonly number[] {
  const numbers = new Array<number>(packed.length / DOUBLE);
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = packed.readDoubleLE(index * DOUBLE);
  return numbers;
}

export function isNumber(told: Told): boolean {
  return typeof told === 'number';
}
