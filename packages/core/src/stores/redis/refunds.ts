import type { Receipt } from '../../model/receipt.js';
import { unreadableKey } from './connection/redis-error.js';
import { parseReply, policyArguments } from './encoding/script-request.js';
import { generalScript } from './lua/general-scripts.js';
import type { Script } from './lua/script.js';

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

/** The only number of a reply. @throws StoreError for a key that cannot be read */
export function unitsIn(reply: unknown): number {
  return refundedUnits([[reply]]);
}

function refundCall(receipts: readonly Receipt[]): RefundCall {
  return {
    script: generalScript(
      'refund',
      receipts.map(({ policy }) => policy),
    ),
    keys: receipts.map(({ key }) => key),
    args: receipts.flatMap(receiptArguments),
  };
}

/** A receipt as refund.lua reads it. */
function receiptArguments({ policy, units, at, until, undone, before = 0 }: Receipt): (string | number)[] {
  return [...policyArguments(policy), units, at, until, undone ? before : -1];
}
