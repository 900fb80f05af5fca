import { algorithms } from '../../../algorithms/algorithms.js';
import type { AlgorithmCode, Policy } from '../../../model/policy.js';
import type { Script } from './script.js';
import { algorithmParts, frames, script, type Part } from './scripts.js';

const ALL = Object.keys(algorithmParts) as readonly AlgorithmCode[];

/** By frame, and by the algorithm if there is one alone. */
const made = new Map<string, Script>();

/**
 * The script that decides any claims, or refunds any receipts, under these policies. Where they have one algorithm, it
 * defines no other, because Redis runs a script as fast as it is small.
 */
export function generalScript(frame: keyof typeof frames, policies: Iterable<Policy>): Script {
  let only: AlgorithmCode | undefined;
  for (const policy of policies) {
    const { code } = algorithms[policy.algorithm];
    only ??= code;
    if (code !== only) return scriptFor(frame, undefined);
  }
  return scriptFor(frame, only);
}

function scriptFor(frame: keyof typeof frames, only: AlgorithmCode | undefined): Script {
  const name = `${frame} ${only}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const codes = only === undefined ? ALL : [only];
  const { before, behind } = frames[frame];
  const parts = new Set(codes.flatMap((code): readonly Part[] => algorithmParts[code]));
  const own = script(...before, ...parts, ...behind);
  made.set(name, own);
  return own;
}
