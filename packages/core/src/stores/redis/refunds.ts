import { algorithms } from '../../algorithms/algorithms.js';
import type { AlgorithmCode } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import { unreadableKey } from './connection/redis-error.js';
import { parseReply, policyArguments } from './encoding/script-request.js';
import type { Script } from './lua/script.js';
import { scripts } from './lua/scripts.js';

/** Receipts in a call. A longer call would block the server for other calls. */
const MAX_RECEIPTS = 96;

export interface RefundCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** The calls that refund these receipts, whose keys can go into one call. */
export function refundCalls(receipts: readonly Receipt[]): readonly RefundCall[] {
  const count = Math.ceil(receipts.length / MAX_RECEIPTS);
  return Array.from({ length: count }, (_, index) =>
    refundCall(receipts.slice(index * MAX_RECEIPTS, (index + 1) * MAX_RECEIPTS)),
  );
}

/** The units that the calls refunded. @throws StoreError if a key cannot be read */
export function refundedUnits(replies: readonly unknown[]): number {
  const units = replies.flatMap((reply) => parseReply(reply));
  const problem = units.find((each) => typeof each === 'string');
  if (problem !== undefined) throw unreadableKey(problem);
  return (units as number[]).reduce((total, each) => total + each, 0);
}

function refundCall(receipts: readonly Receipt[]): RefundCall {
  return {
    script: scripts[refundScript(receipts)],
    keys: receipts.map(({ key }) => key),
    args: receipts.flatMap(receiptArguments),
  };
}

/** A receipt as refund.lua reads it. */
export function receiptArguments({ policy, units, at, until, undone, before = 0 }: Receipt): (string | number)[] {
  return [...policyArguments(policy), units, at, until, undone ? before : -1];
}

/** Units that end with their request are released. */
type RefundedCode = Exclude<AlgorithmCode, 'cc'>;

/** The smallest script that can refund these receipts, because Redis runs a script as fast as it is small. */
function refundScript(receipts: readonly Receipt[]): keyof typeof scripts {
  const codes = new Set(receipts.map(({ policy }) => algorithms[policy.algorithm].code as RefundedCode));
  return `refund-${codes.size === 1 ? [...codes][0]! : 'any'}`;
}
