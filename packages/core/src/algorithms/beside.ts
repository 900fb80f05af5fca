import type { Claim } from '../model/claim.js';
import type { WaitingTerms } from '../model/inspection.js';
import type { Policy } from '../model/policy.js';
import type { BesideNumbers, Candidate } from './candidate.js';
import { facet } from './facet.js';

/** What limits do that have numbers beside the states of their keys. */
export interface Beside<P = Policy> {
  /** The part of a script that decides by the numbers, behind that of groups. */
  readonly part: string;
  /** How many keys beside that of its state a claim has. */
  readonly keyCount: number;
  /** How a script learns what a claim says: by a text, by the last of its keys, or not at all. */
  readonly noted: 'text' | 'key' | undefined;
  /** The same policy without them, by which tools read the states. */
  plain(policy: P): Policy;
  /** The keys of the numbers. Without a claim those that outlive requests. @param key that of the state */
  keysOf(key: string, claim?: Claim): readonly string[];
  /** What a claim says, where that is a text. */
  textOf(claim: Claim): string | number;
  /** Takes what a script tells for a claim, behind the states. @param next reads a number */
  tell(claim: Claim, next: () => number, numbers: BesideNumbers): void;
  /** Ticks that a claim waits whose state says so many. */
  wait(each: BesideCandidate, now: number): number;
  /** A claim of a request that is admitted, or denied, after all of its claims were decided. @param now microseconds */
  admitted(each: BesideCandidate): void;
  denied(each: BesideCandidate, group: readonly Candidate[]): void;
  /** The same of a request that changes nothing, and may be admitted. */
  peeked(each: BesideCandidate): void;
  /** What they say to operators. Undefined where nobody waits. */
  waiting(each: BesideCandidate): WaitingTerms | undefined;
}

/** A claim that has numbers beside its state. */
export type BesideCandidate = Candidate & { readonly beside: BesideNumbers };

export const beside = facet<Beside>('beside');

/** True for a claim whose numbers a store has given to it. */
export function hasBeside(each: Candidate): each is BesideCandidate {
  return each.beside !== undefined;
}

/** True for a policy whose claims each say something to a script: the name of a permit, or what a feature has noted. */
export function isNoted(policy: Policy): boolean {
  return policy.algorithm.endsWithRequest || beside.of(policy)?.noted !== undefined;
}
