import { beside } from '../algorithms/beside.js';
import { isCounted } from '../algorithms/counting.js';
import type { Policy } from '../model/policy.js';
import { decidingParts } from './deciding-parts.js';
import type { Script } from './script.js';
import { algorithmParts, blocksOf, frames, rareAlgorithms, script, type Part } from './scripts.js';

/** Few programs have the others. A script defines them only where it needs them. */
const COMMON = Object.keys(algorithmParts).filter((code) => !rareAlgorithms.includes(code));

/** By frame, by the twin if there is one alone, and by what else it defines. */
const made = new Map<string, Script>();

/**
 * The script that decides any claims, or refunds any receipts, under these policies. Where they have one algorithm, it
 * defines no other, because Redis runs a script as fast as it is small.
 */
export function generalScript(frame: 'consume' | 'refund', given: Iterable<Policy>): Script {
  const policies = [...given];
  let first: string | undefined;
  let areMixed = false;
  let hasBalance = false;
  const rare = new Set<string>();
  let hasUsage = false;
  for (const policy of policies) {
    const code = policy.algorithm.twin;
    first ??= code;
    if (code !== first) areMixed = true;
    if (policy.algorithm.neverRefills) hasBalance = true;
    if (rareAlgorithms.includes(code)) rare.add(code);
    if (isCounted(policy)) hasUsage = true;
  }
  const numbers = policies.some((policy) => beside.of(policy) !== undefined) ? frames.numbers.behind : [];
  const ofFeatures = [...numbers, ...decidingParts(policies)];
  const counted = hasUsage ? (`${frame}-counted` as const) : frame;
  const own = hasBalance && frame === 'consume' ? (`${counted}-covered` as 'consume-covered') : counted;
  return scriptFor({ frame: own, only: areMixed ? undefined : first, rare: [...rare].toSorted(), ofFeatures });
}

interface Defined {
  readonly frame: keyof typeof frames;
  /** The only twin. */
  readonly only: string | undefined;
  readonly rare: readonly string[];
  readonly ofFeatures: readonly Part[];
}

function scriptFor({ frame, only, rare, ofFeatures }: Defined): Script {
  const name = `${frame} ${only} ${rare.join()}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const { before, behind } = frames[frame];
  const codes = only === undefined ? [...COMMON, ...rare] : [only];
  const own = script(...before, ...blocksOf(codes), ...withParts(behind, ofFeatures));
  made.set(name, own);
  return own;
}

/** Behind the parts that decide groups. A script that refunds has none. */
function withParts(behind: readonly Part[], ofFeatures: readonly Part[]): readonly Part[] {
  return behind.flatMap((part): readonly Part[] => (part === 'recorded-texts' ? [...ofFeatures, part] : [part]));
}
