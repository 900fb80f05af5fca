import { algorithmOf } from '../../../algorithms/index.js';
import type { Claim } from '../../../model/claim.js';
import type { Policy } from '../../../model/policy.js';
import type { Ruling } from '../../../model/ruling.js';
import type { Script } from '../lua/script.js';

/** The claims of one request, which are decided together. */
export interface Check {
  readonly group: readonly Claim[];
  /** Decides and changes nothing. */
  readonly isPeek: boolean;
}

/** One call of a script that decides checks. */
export interface ScriptRequest {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  /** Reads the reply of the script. @throws where it is not one that the script can give */
  decode(reply: unknown): DecodedReply;
}

export interface DecodedReply {
  /** Microseconds of the server's clock. */
  readonly now: number;
  /** For each check in order its rulings, or the error of a key that Redis could not read. */
  readonly rulings: readonly (readonly Ruling[] | string)[];
}

const cachedArguments = new WeakMap<Policy, readonly string[]>();

/** A policy as the scripts read it: its algorithm's code, how many numbers follow, the numbers. */
export function policyArguments(policy: Policy): readonly string[] {
  const cached = cachedArguments.get(policy);
  if (cached) return cached;
  const args = [algorithmOf(policy).code, policy.numbers.length, ...policy.numbers].map(String);
  cachedArguments.set(policy, args);
  return args;
}
