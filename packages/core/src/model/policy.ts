// model/ has the values that all rooms share: policies, claims, outcomes, decisions, receipts, errors. Checked options
// and answers of stores enter. It imports no other room, no package and not Node.
import type { AlgorithmFacts } from './algorithm-facts.js';
import { companion } from './companion.js';

/** An algorithm and its numbers. `definePolicy` checks them once; everything else trusts them. Immutable. */
export interface Policy {
  /** What decides by it. */
  readonly algorithm: AlgorithmFacts;
  /** Units that a window allows. */
  readonly limit: number;
  /** The limit that clients see. For a bucket, what it holds. */
  readonly quota: number;
  /** The highest cost that fits an unused budget. */
  readonly capacity: number;
  /** The time that `limit` refers to, in microseconds. The longest of several windows. */
  readonly window: number;
  /** The time unit of the algorithm, in microseconds. */
  readonly tick: number;
  /** The windows of a policy with several windows, longest first. */
  readonly windows?: readonly LimitedWindow[];
  /** What `settle` charges under: the same budget with its overdraft. Undefined without one. */
  readonly settling: Policy | undefined;
  /** What its units are, as headers name them. Requests by default. */
  readonly unit?: string | undefined;
  /** Where its windows are periods of a calendar. */
  readonly calendar?: PolicyCalendar;
  /** What the state depends on. Policies of equal dimensions can share a state, whatever their limits. */
  readonly dimensions: string;
  /** The arguments of the Lua twin, in its order. Integers. */
  readonly numbers: readonly number[];
}

/** What a policy whose windows are periods has beyond its numbers, which are those of a time. Times are milliseconds since 1970. */
export interface PolicyCalendar {
  readonly period: 'day' | 'week' | 'month' | 'year';
  /** What it decides by at all times. */
  readonly rule: string;
  /** The time that the numbers are for. */
  readonly lasts: { readonly from: number; readonly until: number };
  /** The length of the period that ends about a time, in microseconds. */
  readonly lengthUntil: (time: number) => number;
  /** The end of the period that ends about a time, in words for clients. */
  readonly endText: (time: number) => string;
}

/** The unit of a policy without one. */
export const REQUESTS = 'requests';

export interface LimitedWindow {
  /** Units that the window allows. */
  readonly limit: number;
  /** In microseconds. */
  readonly window: number;
}

/** True at a limit of 0: only what costs nothing fits, and no store has a state. */
export function admitsNothing({ capacity }: Policy): boolean {
  return capacity === 0;
}

/** True for policies that decide alike. */
export function samePolicy(one: Policy, other: Policy): boolean {
  return one === other || policyText(one) === policyText(other);
}

/** True for policies of the same options, also of different times. */
export function sameRule(one: Policy, other: Policy): boolean {
  if (one.calendar === undefined) return samePolicy(one, other);
  return one.calendar.rule === other.calendar?.rule && one.dimensions === other.dimensions;
}

const texts = new WeakMap<Policy, string>();

/** Policies whose limit is a function of the subject: there may be many of them. */
export const ofFunctions = companion<Policy, true>('policies-of-functions');

/** A string that only policies share that decide alike. A facet of the algorithm may have a text that tells them apart. */
export function policyText(policy: Policy): string {
  const known = texts.get(policy);
  if (known !== undefined) return known;
  const { algorithm, dimensions, numbers } = policy;
  const facets = Object.values(algorithm.facets) as readonly { readonly text?: string }[];
  const text = [algorithm.twin, dimensions, numbers.join(), ...facets.map((facet) => facet.text ?? '')].join(' ');
  texts.set(policy, text);
  return text;
}
