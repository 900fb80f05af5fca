import { type Deferred, permitUnits, type Policy, type Receipt } from '@sluice/core/internal';
import type { ScriptCall } from './client/run-script.js';
import { unreadableKey } from './connection/classify-error.js';
import { EndingReceipts, type GivenUnits } from './ending-receipts.js';
import { parseReply, policyArguments } from './encoding/script-request.js';
import { type Script, scripts } from '@sluice/core/scripts';

/** Units in a call. A longer call would block the server for other calls. */
const MAX_UNITS = 500;

/** A call that renews or releases units, and the receipts of each of its keys. */
interface PermitCall extends ScriptCall {
  readonly receipts: readonly (readonly Receipt[])[];
}

/** The units that a reply counts, for each receipt, or the error of its key. */
type UnitCounts = ReadonlyMap<Receipt, number | Error>;

type Send = (call: ScriptCall) => Promise<unknown>;

interface UnitsContext {
  /** The parts that can go into one call each. */
  readonly split: (receipts: readonly Receipt[]) => readonly (readonly Receipt[])[];
  readonly send: Send;
  /** The same, also to a server that gets no requests after its failures. */
  readonly sendAnyway: Send;
  /** Sends the checks before the next call. */
  readonly flush: () => void;
}

/** The units of running requests, which are renewed and released by calls of their own. */
export class RunningUnits {
  readonly #context: UnitsContext;
  readonly #ending = new EndingReceipts((receipts) => this.#release(receipts));

  constructor(context: UnitsContext) {
    this.#context = context;
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
  async releaseFirst(receipts: readonly Receipt[]): Promise<GivenUnits> {
    const calls = this.#context.split(receipts).flatMap(releaseCalls);
    const bySource = calls.map((call) => ({ ...call, by: 'source' as const }));
    const released = await this.#count(bySource, 'sendAnyway');
    return receipts.map((receipt) => released.get(receipt)!);
  }

  /** The units of each receipt that others could have been given. */
  async renew(receipts: readonly Receipt[]): Promise<readonly (number | Error)[]> {
    const lapsed = await this.#count(this.#context.split(receipts).flatMap(renewCalls));
    return receipts.map((receipt) => lapsed.get(receipt)!);
  }

  async #release(receipts: readonly Receipt[]): Promise<GivenUnits> {
    this.#context.flush();
    const released = await this.#count(this.#context.split(receipts).flatMap(releaseCalls));
    return receipts.map((receipt) => released.get(receipt)!);
  }

  async #count(calls: readonly PermitCall[], send: 'send' | 'sendAnyway' = 'send'): Promise<UnitCounts> {
    const counts = new Map<Receipt, number | Error>();
    const countsOf = async (call: PermitCall) => {
      try {
        countUnits(call, await this.#context[send](call), counts);
      } catch (error) {
        for (const ofKey of call.receipts) for (const receipt of ofKey) counts.set(receipt, error as Error);
      }
    };
    if (calls.length === 1) await countsOf(calls[0]!);
    else await Promise.all(calls.map(countsOf));
    return counts;
  }
}

/** The calls that release the units of receipts, whose keys can go into one call each. */
function releaseCalls(receipts: readonly Receipt[]): readonly PermitCall[] {
  return callsOf(scripts.release, receipts, () => []);
}

/**
 * The calls that renew the units of receipts, whose keys can go into one call each. By their text: a server that was
 * restarted has no scripts, and must hear what runs before it decides about more.
 */
function renewCalls(receipts: readonly Receipt[]): readonly PermitCall[] {
  const calls = callsOf(scripts.renew, receipts, ([receipt]) => renewalArguments(receipt!.policy));
  return calls.map((call) => ({ ...call, by: 'source' }));
}

/** A limit that callers share is renewed like any other. */
export function renewalArguments(policy: Policy): readonly string[] {
  return [policy.algorithm.code, ...policyArguments(policy).slice(1)];
}

/** Of the receipts of one key the first ones get all of their units, because the script counts a key as a whole. */
function countUnits({ receipts }: PermitCall, reply: unknown, into: Map<Receipt, number | Error>): void {
  const counts = parseReply(reply);
  for (let index = 0; index < receipts.length; index += 1) {
    const count = counts[index];
    const problem = typeof count === 'string' ? unreadableKey(count) : undefined;
    let left = count as number;
    for (const receipt of receipts[index]!) {
      const units = Math.min(receipt.units, left);
      into.set(receipt, problem ?? units);
      left -= units;
    }
  }
}

function callsOf(
  script: Script,
  receipts: readonly Receipt[],
  head: (ofKey: readonly Receipt[]) => readonly string[],
): readonly PermitCall[] {
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
