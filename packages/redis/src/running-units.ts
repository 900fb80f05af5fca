import { type Deferred, permitUnits, type Policy, type Receipt } from '@sluice/core/internal';
import { EndingReceipts } from './ending-receipts.js';
import { policyArguments } from './encoding/script-request.js';
import { countUnits, type GivenUnits, type ReceiptCall } from './receipt-calls.js';
import { type Script, scripts } from '@sluice/core/scripts';
import type { ScriptCalls } from './script-calls.js';

/** Units in a call. A longer call would block the server for other calls. */
const MAX_UNITS = 500;

/** The units of running requests, which are renewed and released by calls of their own. */
export class RunningUnits {
  readonly #calls: ScriptCalls;
  readonly #ending = new EndingReceipts((receipts) => this.#release(receipts));

  constructor(calls: ScriptCalls) {
    this.#calls = calls;
  }

  /**
   * Many requests may end in one turn of the event loop, and their permits are then released by one call. @returns the
   * units that came back
   */
  release(permits: readonly Receipt[]): Deferred<number> {
    return this.#ending.add(permits);
  }

  /** Resolves when all that ends in this turn was released. */
  ended(): Promise<void> {
    return this.#ending.ended();
  }

  /** The units of each receipt that came back. By the text of the script, so that no check overtakes. */
  releaseFirst(receipts: readonly Receipt[]): Promise<GivenUnits> {
    const bySource = this.#releaseCalls(receipts).map((call) => ({ ...call, by: 'source' as const }));
    return countUnits(receipts, bySource, (call) => this.#calls.sendAnyway(call));
  }

  /** The units of each receipt that others could have been given. */
  renew(receipts: readonly Receipt[]): Promise<GivenUnits> {
    return countUnits(receipts, this.#calls.split(receipts).flatMap(renewCalls), (call) => this.#calls.send(call));
  }

  #release(receipts: readonly Receipt[]): Promise<GivenUnits> {
    this.#calls.flush();
    return countUnits(receipts, this.#releaseCalls(receipts), (call) => this.#calls.send(call));
  }

  /** The keys of a part go into one call each. */
  #releaseCalls(receipts: readonly Receipt[]): readonly ReceiptCall[] {
    return this.#calls.split(receipts).flatMap((part) => callsOf(scripts.release, part, () => []));
  }
}

/**
 * The calls that renew the units of receipts, whose keys can go into one call each. By their text: a server that was
 * restarted has no scripts, and must hear what runs before it decides about more.
 */
function renewCalls(receipts: readonly Receipt[]): readonly ReceiptCall[] {
  const calls = callsOf(scripts.renew, receipts, ([receipt]) => renewalArguments(receipt!.policy));
  return calls.map((call) => ({ ...call, by: 'source' }));
}

/** A limit that callers share is renewed like any other. */
export function renewalArguments(policy: Policy): readonly string[] {
  return [policy.algorithm.code, ...policyArguments(policy).slice(1)];
}

function callsOf(
  script: Script,
  receipts: readonly Receipt[],
  head: (ofKey: readonly Receipt[]) => readonly string[],
): readonly ReceiptCall[] {
  return chunksOf(receipts).map((chunk) => {
    const byKey = new Map<string, Receipt[]>();
    for (const receipt of chunk) {
      const ofKey = byKey.get(receipt.key);
      if (ofKey) ofKey.push(receipt);
      else byKey.set(receipt.key, [receipt]);
    }
    const ofKeys = [...byKey.values()];
    const args: (string | number)[] = [];
    for (const ofKey of ofKeys) {
      args.push(...head(ofKey));
      const countAt = args.push(0) - 1;
      for (const { name, units, of = units } of ofKey) args.push(...permitUnits(name!, units, of));
      args[countAt] = args.length - countAt - 1;
    }
    return { script, keys: [...byKey.keys()], args, receipts: ofKeys };
  });
}

/** A permit of many units has a call of its own. */
function chunksOf(receipts: readonly Receipt[]): readonly (readonly Receipt[])[] {
  const chunks: Receipt[][] = [];
  let room = 0;
  for (const receipt of receipts) {
    if (receipt.units > room || chunks.length === 0) {
      chunks.push([]);
      room = MAX_UNITS;
    }
    chunks.at(-1)!.push(receipt);
    room -= receipt.units;
  }
  return chunks;
}
