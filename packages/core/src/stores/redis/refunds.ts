import { endsWithRequest, type Receipt } from '../../model/receipt.js';
import { hourOf } from '../../model/usage.js';
import { unreadableKey } from './connection/redis-error.js';
import { parseReply, policyArguments } from './encoding/script-request.js';
import { openKeysOf } from './encoding/usage-arguments.js';
import { usageKey } from '../usage-key.js';
import { generalScript } from './lua/general-scripts.js';
import type { Script } from './lua/script.js';
import type { RunningUnits } from './running-units.js';
import type { ScriptCalls } from './script-calls.js';

/** Receipts in a call. A longer call would block the server for other calls. */
const MAX_RECEIPTS = 96;

/** Gives units back: permits with those that end in the same turn, and others by calls of their own. */
export class Refunds {
  readonly #calls: ScriptCalls;
  readonly #running: RunningUnits;

  constructor(calls: ScriptCalls, running: RunningUnits) {
    this.#calls = calls;
    this.#running = running;
  }

  async refund(receipts: readonly Receipt[]): Promise<number> {
    const running = receipts.filter(endsWithRequest);
    if (running.length === 0) return this.#refundUnits(receipts);
    const others = receipts.filter((receipt) => !endsWithRequest(receipt));
    const [released, refunded] = await Promise.all([
      this.#running.release(running),
      others.length > 0 ? this.#refundUnits(others) : 0,
    ]);
    return released + refunded;
  }

  async #refundUnits(receipts: readonly Receipt[]): Promise<number> {
    this.#calls.flush();
    const calls = this.#calls.split(receipts).flatMap((part) => refundCalls(part, this.#calls.isCluster));
    return refundedUnits(await Promise.all(calls.map((call) => this.#calls.send(call))));
  }
}

export interface RefundCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** The calls that refund these receipts, whose keys can go into one call. */
export function refundCalls(receipts: readonly Receipt[], isCluster = false): readonly RefundCall[] {
  const count = Math.ceil(receipts.length / MAX_RECEIPTS);
  return Array.from({ length: count }, (_, index) =>
    refundCall(receipts.slice(index * MAX_RECEIPTS, (index + 1) * MAX_RECEIPTS), isCluster),
  );
}

/** The units that the calls refunded. @throws StoreError if a key cannot be read */
function refundedUnits(replies: readonly unknown[]): number {
  const units = replies.flatMap((reply) => parseReply(reply));
  const problem = units.find((each) => typeof each === 'string');
  if (problem !== undefined) throw unreadableKey(problem);
  return (units as number[]).reduce((total, each) => total + each, 0);
}

/** The only number of a reply. @throws StoreError for a key that cannot be read */
export function unitsIn(reply: unknown): number {
  return refundedUnits([[reply]]);
}

function refundCall(receipts: readonly Receipt[], isCluster: boolean): RefundCall {
  const policies = receipts.map(({ policy }) => policy);
  const script = generalScript('refund', policies);
  const keys = receipts.map(({ key }) => key);
  const args = receipts.flatMap(receiptArguments);
  if (!policies.some(({ usage }) => usage)) return { script, keys, args };
  const counted = [...new Set(receipts.flatMap(({ key, policy }) => (policy.usage ? [usageKey(key)] : [])))];
  const usageKeys = isCluster ? counted : [...counted, ...openKeysOf(counted)];
  return { script, keys: [...keys, ...usageKeys], args: [...args, ...receipts.flatMap(usageOf)] };
}

/** The hour of a receipt and its units, as counted-refunds.lua reads them. */
function usageOf({ policy, at, units }: Receipt): number[] {
  return [policy.usage ? hourOf(at * policy.tick) : -1, units];
}

/** A receipt as refund.lua reads it. */
function receiptArguments({ policy, units, at, until, undone, before = 0 }: Receipt): (string | number)[] {
  return [...policyArguments(policy), units, at, until, undone ? before : -1];
}
