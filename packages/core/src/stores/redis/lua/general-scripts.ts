import type { Policy, TwinCode } from '../../../model/policy.js';
import type { Script } from './script.js';
import { algorithmParts, frames, script, type Part } from './scripts.js';

const BALANCE: TwinCode = 'ba';
/** Few programs have balances, and no other script defines them. */
const OTHERS = (Object.keys(algorithmParts) as readonly TwinCode[]).filter((code) => code !== BALANCE);

/** By frame, by the twin if there is one alone, and by whether there are balances. */
const made = new Map<string, Script>();

/**
 * The script that decides any claims, or refunds any receipts, under these policies. Where they have one algorithm, it
 * defines no other, because Redis runs a script as fast as it is small.
 */
export function generalScript(frame: 'consume' | 'refund', policies: Iterable<Policy>): Script {
  let first: TwinCode | undefined;
  let areMixed = false;
  let hasBalance = false;
  let isCounted = false;
  for (const policy of policies) {
    const code = policy.twin;
    first ??= code;
    if (code !== first) areMixed = true;
    if (code === BALANCE) hasBalance = true;
    if (policy.usage) isCounted = true;
  }
  const counted = isCounted ? (`${frame}-counted` as const) : frame;
  const own = hasBalance && frame === 'consume' ? (`${counted}-covered` as 'consume-covered') : counted;
  return scriptFor(own, areMixed ? undefined : first, hasBalance);
}

function scriptFor(frame: keyof typeof frames, only: TwinCode | undefined, hasBalance: boolean): Script {
  const name = `${frame} ${only} ${hasBalance}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const all = hasBalance ? [...OTHERS, BALANCE] : OTHERS;
  const codes = only === undefined ? all : [only];
  const { before, behind } = frames[frame];
  const parts = new Set(codes.flatMap((code): readonly Part[] => algorithmParts[code]));
  const own = script(...before, ...parts, ...behind);
  made.set(name, own);
  return own;
}
