import type { Redis } from 'ioredis';
import type { RedisClient } from '@sluice/redis';
import { permitUnits } from '../../../packages/core/src/algorithms/concurrency/permits.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import type { Receipt } from '../../../packages/core/src/model/receipt.js';
import type { Ruling } from '../../../packages/core/src/model/ruling.js';
import { encodeChecks } from '../../../packages/redis/src/batch/batch.js';
import { parseReply, type ReplyItem } from '../../../packages/redis/src/encoding/script-request.js';
import { renewalArguments } from '../../../packages/redis/src/running-units.js';
import { refundCalls } from '../../../packages/redis/src/refunds.js';
import type { Script } from '../../../packages/core/src/scripts/script.js';
import { acts, joinParts, scripts } from '../../../packages/core/src/scripts/scripts.js';
import { creditAct, endAct, reconcileAct } from '../../../packages/quotas/src/credits/balance-acts.js';
import type { Credit, Reconciliation } from '../../../packages/quotas/src/credits/credit.js';
import { onScriptClock } from './script-clock.js';

export interface Group {
  readonly claims: readonly Claim[];
  readonly peek: boolean;
}

/** The reply of the Lua twin to a call, and the state of the call's keys after it. */
export interface RedisReply<T> {
  readonly result: T;
  /** The keys that had expired before the call, by the clock of the test. */
  readonly expired: readonly string[];
  /** The time at which each key expires, in milliseconds: -1 is never, -2 is a missing key. */
  readonly expiry: ReadonlyMap<string, number>;
}

const CLOCK = joinParts(['clock']);

/** The types of ioredis omit `evalshaBuffer`. */
function bytesOf(client: Redis): RedisClient {
  return client;
}

/**
 * Runs the scripts of the product on the clock of a test. Redis itself expires no key, because the clock of the test is
 * decades ahead of its own.
 */
export class RedisTwin {
  readonly #client: Redis;
  /** The SHA-1 on the clock of a test, by that of the product. */
  readonly #loaded = new Map<string, string>();

  constructor(client: Redis) {
    this.#client = client;
  }

  /** Resolves with the rulings of each group. @param now microseconds */
  async consume(groups: readonly Group[], now: number): Promise<RedisReply<Ruling[][]>> {
    const request = encodeChecks(groups.map(({ claims, peek }) => ({ group: claims, isPeek: peek })));
    const { result, ...rest } = await this.#run(request.script, request.keys, request.args, now);
    const { rulings } = request.decode(result);
    const problem = rulings.find((each) => typeof each === 'string');
    if (problem !== undefined) throw new Error(`Redis replied ${problem}`);
    return { result: rulings as Ruling[][], ...rest };
  }

  /** Resolves with the refunded units of each receipt. @param now microseconds */
  refund(receipts: readonly Receipt[], now: number): Promise<RedisReply<number[]>> {
    const [call] = refundCalls(receipts);
    return this.#run(call!.script, call!.keys, call!.args, now) as Promise<RedisReply<number[]>>;
  }

  /** Resolves with what credit.lua replies. */
  async credit(key: string, added: Credit, now: number): Promise<RedisReply<readonly ReplyItem[]>> {
    const { result, ...rest } = await this.#run(scripts.credit, [key], creditAct(added).args, now);
    return { result: parseReply(result), ...rest };
  }

  /** Resolves with what end-grants.lua replies. */
  async endGrants(key: string, tells: boolean, now: number): Promise<RedisReply<readonly ReplyItem[]>> {
    const { name, args } = endAct(tells);
    const { result, ...rest } = await this.#run(acts[name]!, [key], args, now);
    return { result: parseReply(result), ...rest };
  }

  /** Resolves with the units that a balance holds after a reconciliation. */
  async reconcile(key: string, reconciliation: Reconciliation, now: number): Promise<RedisReply<number>> {
    const { result, ...rest } = await this.#run(scripts.reconcile, [key], reconcileAct(reconciliation).args, now);
    return { result: parseReply(result)[0] as number, ...rest };
  }

  /** Resolves with the released units of each receipt. */
  release(receipts: readonly Receipt[], now: number): Promise<RedisReply<number[]>> {
    return this.#permits('release', receipts, now, () => []);
  }

  /** Resolves with the units of each receipt that had lapsed. */
  renew(receipts: readonly Receipt[], now: number): Promise<RedisReply<number[]>> {
    return this.#permits('renew', receipts, now, ({ policy }) => renewalArguments(policy));
  }

  /** The text under a key. */
  text(key: string): Promise<string | null> {
    return this.#client.get(key);
  }

  /** The units of a limit in flight, each with its end; and the wishes, each with its party, its begin, its end and its cost. */
  async permits(key: string): Promise<{ units: (readonly [string, number])[]; wishes: (string | number)[][] }> {
    const stored = (await this.#client.zrange(key, '0', '-1', 'WITHSCORES')).map(String);
    const entries = stored.flatMap((name, index) =>
      index % 2 === 0 ? [[name, Number(stored[index + 1])] as const] : [],
    );
    const wishes = entries
      .filter(([, score]) => score < 0)
      .map(([name, score]) => [...name.split('@'), Math.floor(-score / 1024), -score % 1024]);
    return { units: entries.filter(([, score]) => score >= 0), wishes };
  }

  #permits(
    name: 'release' | 'renew',
    receipts: readonly Receipt[],
    now: number,
    head: (receipt: Receipt) => readonly string[],
  ): Promise<RedisReply<number[]>> {
    const args = receipts.flatMap((receipt) => {
      const units = permitUnits(receipt.name!, receipt.units, receipt.of!);
      return [...head(receipt), units.length, ...units];
    });
    const keys = receipts.map(({ key }) => key);
    return this.#run(scripts[name], keys, args, now) as Promise<RedisReply<number[]>>;
  }

  async #run(script: Script, keys: readonly string[], args: readonly (string | number)[], now: number) {
    const reply = await bytesOf(this.#client).evalshaBuffer!(
      await this.#load(script.packed ?? script),
      keys.length,
      ...keys,
      ...args,
      now,
    );
    const [expired, result, expiry] = reply as [number[], unknown, number[]];
    return {
      result,
      expired: expired.map((index) => keys[index - 1]!),
      expiry: new Map(keys.map((key, index) => [key, expiry[index]!])),
    };
  }

  async #load({ sha, source }: Pick<Script, 'sha' | 'source'>): Promise<string> {
    const known = this.#loaded.get(sha);
    if (known !== undefined) return known;
    const script = onScriptClock(source.replace(CLOCK, 'local now_us = fake_now'));
    await this.#client.script('LOAD', script.source);
    this.#loaded.set(sha, script.sha);
    return script.sha;
  }
}
