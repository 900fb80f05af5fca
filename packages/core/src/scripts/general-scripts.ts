import { algorithmOf } from '../algorithms/algorithm.js';
import type { TwinCode } from '../model/algorithm-facts.js';
import type { Policy } from '../model/policy.js';
import type { Script } from './script.js';
import { algorithmParts, blocksOf, frames, script, type Part } from './scripts.js';

const BALANCE: TwinCode = 'ba';
/** Limits in flight that requests wait for, or that callers share. */
const WISHING: readonly TwinCode[] = ['cw', 'cf'];
/** Few programs have balances, or such limits. No other script defines them. */
const OTHERS = (Object.keys(algorithmParts) as readonly TwinCode[]).filter(
  (code) => code !== BALANCE && !WISHING.includes(code),
);

/** By frame, by the twin if there is one alone, and by what else it defines. */
const made = new Map<string, Script>();

/**
 * The script that decides any claims, or refunds any receipts, under these policies. Where they have one algorithm, it
 * defines no other, because Redis runs a script as fast as it is small.
 */
export function generalScript(frame: 'consume' | 'refund', policies: Iterable<Policy>): Script {
  let first: TwinCode | undefined;
  let areMixed = false;
  let hasBalance = false;
  const wishing = new Set<TwinCode>();
  let isCounted = false;
  for (const policy of policies) {
    const code = policy.algorithm.twin;
    first ??= code;
    if (code !== first) areMixed = true;
    if (policy.algorithm.neverRefills) hasBalance = true;
    if (algorithmOf(policy).leaveWishes !== undefined) wishing.add(code);
    if (policy.usage) isCounted = true;
  }
  const counted = isCounted ? (`${frame}-counted` as const) : frame;
  const own = hasBalance && frame === 'consume' ? (`${counted}-covered` as 'consume-covered') : counted;
  const others = [...(hasBalance ? [BALANCE] : []), ...[...wishing].toSorted()];
  return scriptFor(own, areMixed ? undefined : first, others);
}

function scriptFor(frame: keyof typeof frames, only: TwinCode | undefined, others: readonly TwinCode[]): Script {
  const name = `${frame} ${only} ${others.join()}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const codes = only === undefined ? [...OTHERS, ...others] : [only];
  const { before, behind } = frames[frame];
  const own = script(
    ...before,
    ...blocksOf(codes),
    ...(others.some((code) => WISHING.includes(code)) ? withWishes(behind) : behind),
  );
  made.set(name, own);
  return own;
}

/** Behind the parts that decide groups. A script that refunds has none. */
function withWishes(behind: readonly Part[]): readonly Part[] {
  return behind.flatMap((part): readonly Part[] =>
    part === 'recorded-texts' ? [...frames.wishing.behind, part] : [part],
  );
}
