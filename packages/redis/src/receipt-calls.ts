import type { Receipt } from '@sluice/core/internal';
import type { ScriptCall } from './client/run-script.js';
import { unreadableKey } from './connection/classify-error.js';
import { parseReply } from './encoding/script-request.js';

/** A call about the units of receipts. Its reply counts units for each item of `receipts`. */
export interface ReceiptCall extends ScriptCall {
  /** Those of a key, or one that has an item of its own. */
  readonly receipts: readonly (readonly Receipt[])[];
}

/** For each receipt the units that came back, or the error of its key or of its call. */
export type GivenUnits = readonly (number | Error)[];

/** Sends calls about receipts, and returns what their replies count for each receipt. It does not reject. */
export async function countUnits(
  receipts: readonly Receipt[],
  calls: readonly ReceiptCall[],
  send: (call: ScriptCall) => Promise<unknown>,
): Promise<GivenUnits> {
  const counts = new Map<Receipt, number | Error>();
  const countsOf = async (call: ReceiptCall) => {
    try {
      readCounts(call, await send(call), counts);
    } catch (error) {
      for (const receipt of call.receipts.flat()) counts.set(receipt, error as Error);
    }
  };
  await Promise.all(calls.map(countsOf));
  return receipts.map((receipt) => counts.get(receipt)!);
}

/**
 * Of the receipts of one key the first ones get all of their units, because the script counts a key as a whole. The last one gets
 * the others: one refund can forgive more strikes than its own.
 */
function readCounts({ receipts }: ReceiptCall, reply: unknown, into: Map<Receipt, number | Error>): void {
  const counts = parseReply(reply);
  for (let index = 0; index < receipts.length; index += 1) {
    const count = counts[index];
    const problem = typeof count === 'string' ? unreadableKey(count) : undefined;
    let left = count as number;
    const ofKey = receipts[index]!;
    for (const receipt of ofKey) {
      const units = receipt === ofKey.at(-1) ? left : Math.min(receipt.units, left);
      into.set(receipt, problem ?? units);
      left -= units;
    }
  }
}
