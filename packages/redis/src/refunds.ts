import { endsWithRequest, hourOf, isCounted, type Receipt, usageKey } from '@sluice/core/internal';
import { policyArguments } from './encoding/script-request.js';
import { openKeysOf } from './encoding/usage-arguments.js';
import { EndingReceipts } from './ending-receipts.js';
import { countUnits, type GivenUnits, type ReceiptCall } from './receipt-calls.js';
import { generalScript } from '@sluice/core/scripts';
import type { RunningUnits } from './running-units.js';
import type { ScriptCalls } from './script-calls.js';

/** Receipts in a call. A longer call would block the server for other calls. */
const MAX_RECEIPTS = 96;

/** Gives units back, together with those that come back in the same turn: permits by one script, and others by another. */
export class Refunds {
  readonly #calls: ScriptCalls;
  readonly #running: RunningUnits;
  readonly #ending = new EndingReceipts((receipts) => this.#send(receipts));

  constructor(calls: ScriptCalls, running: RunningUnits) {
    this.#calls = calls;
    this.#running = running;
  }

  async refund(receipts: readonly Receipt[]): Promise<number> {
    const running = receipts.filter(endsWithRequest);
    if (running.length === 0) return this.#ending.add(receipts);
    const others = receipts.filter((receipt) => !endsWithRequest(receipt));
    const [released, refunded] = await Promise.all([
      this.#running.release(running),
      others.length > 0 ? this.#ending.add(others) : 0,
    ]);
    return released + refunded;
  }

  /** Sends the refunds of this turn, so that a call that is sent next runs after them. */
  flush(): void {
    this.#ending.flush();
  }

  /** Sends the refunds of this turn, and resolves when they were answered. */
  ended(): Promise<void> {
    return this.#ending.ended();
  }

  #send(receipts: readonly Receipt[]): Promise<GivenUnits> {
    this.#calls.flush();
    const calls = this.#calls.split(receipts).flatMap((part) => refundCalls(part, this.#calls.isCluster));
    return countUnits(receipts, calls, (call) => this.#calls.send(call));
  }
}

/** The calls that refund these receipts, whose keys can go into one call. */
export function refundCalls(receipts: readonly Receipt[], isCluster = false): readonly ReceiptCall[] {
  const count = Math.ceil(receipts.length / MAX_RECEIPTS);
  return Array.from({ length: count }, (_, index) =>
    refundCall(receipts.slice(index * MAX_RECEIPTS, (index + 1) * MAX_RECEIPTS), isCluster),
  );
}

function refundCall(receipts: readonly Receipt[], isCluster: boolean): ReceiptCall {
  const policies = receipts.map(({ policy }) => policy);
  const script = generalScript('refund', policies);
  const keys = receipts.map(({ key }) => key);
  const args = receipts.flatMap(receiptArguments);
  const each = receipts.map((receipt) => [receipt]);
  if (!policies.some(isCounted)) return { script, keys, args, receipts: each };
  const counted = [...new Set(receipts.flatMap(({ key, policy }) => (isCounted(policy) ? [usageKey(key)] : [])))];
  const usageKeys = isCluster ? counted : [...counted, ...openKeysOf(counted)];
  return { script, keys: [...keys, ...usageKeys], args: [...args, ...receipts.flatMap(usageOf)], receipts: each };
}

/** The hour of a receipt and its units, as counted-refunds.lua reads them. */
function usageOf({ policy, at, units }: Receipt): number[] {
  return [isCounted(policy) ? hourOf(at * policy.tick) : -1, units];
}

/** A receipt as refund.lua reads it. */
function receiptArguments({ policy, units, at, until, undone, before = 0 }: Receipt): (string | number)[] {
  return [...policyArguments(policy), units, at, until, undone === true ? 1 : 0, before];
}
