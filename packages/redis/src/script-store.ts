import { sharedLayers } from '@sluice/core/between-processes';
import {
  type ActValues,
  type Answer,
  beside,
  chain,
  type Claim,
  closing,
  endsWithRequest,
  type KeyAct,
  type LegibleStore,
  limitersOf,
  type ListChange,
  type ListChanged,
  type ListPage,
  type ListPosition,
  type ListStore,
  type LostItems,
  type MaybePromise,
  type PendingCheck,
  type ReachedMark,
  type Reading,
  type Receipt,
  type RequestFacts,
  type ServerLink,
  type StateKey,
  type StoreAbilities,
  type StoreError,
  type StoreLayers,
  type StoreStats,
  type UsageStore,
  withReached,
} from '@sluice/core/internal';
import { encodeChecks } from './batch/batch.js';
import type { Batcher } from './batch/batcher.js';
import type { ManagedClient } from './client/managed-client.js';
import { consumeAcrossTags, mergeAnswers, type TagCalls } from './cluster.js';
import type { Connection } from './connection/connection.js';
import { changedNothing, isRefusal, unreadableKey } from './connection/classify-error.js';
import { besideKey } from './encoding/beside-key.js';
import { parseReply, policyArguments } from './encoding/script-request.js';
import { acts, scripts } from '@sluice/core/scripts';
import { KeyScan } from './key-scan.js';
import { readingsOf } from './readings.js';
import { untilReady } from './ready-check.js';
import { RedisUsage } from './redis-usage.js';
import { Refunds } from './refunds.js';
import { RunningUnits } from './running-units.js';
import { closedError, keysOf, ScriptCalls } from './script-calls.js';
import { changeArguments, listChanged, listKeys, listPage, restoreArguments } from './stored-list.js';

/** Decides by scripts: checks by those of its batches, and everything else by a call of its own. */
export class ScriptStore implements LegibleStore, ListStore, UsageStore, StoreAbilities {
  readonly #batcher: Batcher;
  readonly #connection: Connection;
  readonly #calls: ScriptCalls;
  /** The client that the store closes. */
  readonly #client: ManagedClient | undefined;
  /** Operations of several calls, one after the other. */
  readonly #pending = new Set<Promise<unknown>>();
  readonly #running: RunningUnits;
  readonly #refunds: Refunds;
  readonly #usage: RedisUsage;
  readonly #link: ServerLink;

  constructor(batcher: Batcher, client: ManagedClient | undefined) {
    this.#batcher = batcher;
    this.#connection = batcher.connection;
    this.#client = client;
    this.#calls = new ScriptCalls(batcher);
    this.#running = new RunningUnits(this.#calls);
    this.#refunds = new Refunds(this.#calls, this.#running);
    this.#usage = new RedisUsage(this.#calls);
    this.#link = {
      onReady: (listener) => this.#connection.onReady(listener),
      onAnswer: (listener) => this.#connection.onAnswer(listener),
      chargeFirst: (claim) => this.#chargeFirst(claim),
      releaseFirst: (receipts) => this.#releaseFirst(receipts),
      // The error of a group of several calls says nothing about the other calls.
      changedNothing: (error, group) => changedNothing(error) && this.#calls.split(group).length === 1,
    };
  }

  get layers(): StoreLayers {
    return sharedLayers;
  }

  /** The keys of a request may be on several servers. */
  get isCluster(): boolean {
    return this.#connection.isCluster;
  }

  get link(): ServerLink {
    return this.#link;
  }

  get usage(): RedisUsage {
    return this.#usage;
  }

  get connectDeadline(): number {
    return this.#connection.connectDeadline;
  }

  stats(): StoreStats {
    return { keys: [], breakers: this.#connection.breakers(), inFlight: this.#connection.inFlight };
  }

  outageOf(group: readonly { readonly key: string }[]): StoreError | undefined {
    if (this.#calls.isClosed) return undefined;
    if (!this.#connection.isCluster) return this.#connection.outageOf(group[0]!.key);
    for (const { key } of group) {
      const outage = this.#connection.outageOf(key);
      if (outage) return outage;
    }
    return undefined;
  }

  consume(group: readonly Claim[]): Promise<Answer> {
    if (this.#calls.isClosed) return Promise.reject(closedError());
    const isOneCall = group.length === 1 || this.#calls.split(group).length === 1;
    if (isOneCall) return this.#batcher.consume(group);
    const reached: ReachedMark[] = [];
    const calls = this.#tagCallsOf({ onReached: (marks) => void reached.push(...marks) });
    const answer = consumeAcrossTags(calls, group);
    return this.#track(answer.then((each) => withReached(each, reached.length > 0 ? reached : undefined)));
  }

  send(check: PendingCheck): MaybePromise<Answer> {
    const { group } = check;
    const { isCluster } = this.#connection;
    if (this.#calls.isClosed) return check.onError(closedError());
    // One question a batch: what joins it meets the fate of its first check.
    if (!this.#batcher.isCollecting) {
      const outage = isCluster ? this.outageOf(group) : this.#connection.outageOf(group[0]!.key);
      if (outage !== undefined) return check.onError(outage);
    }
    if (!isCluster || this.#calls.split(group).length === 1) return this.#batcher.add(check);
    return chain(
      this.#track(consumeAcrossTags(this.#tagCallsOf(check.facts), group)),
      (answer) => check.onAnswer(answer),
      (error) => check.onError(error),
    );
  }

  /** The calls of a request over several hash tags. They also work while the store closes. */
  #tagCallsOf({ labels, trace, onReached }: RequestFacts = {}): TagCalls {
    return {
      deadline: this.#connection.deadline.milliseconds,
      consume: (group) => this.#batcher.consume(group, { labels, trace }),
      peek: (group) => this.#peek(group),
      refund: (receipts) => this.#refunds.refund(receipts),
      record: (claims) => this.#record(claims),
      tell: (claim) => this.#batcher.consume([claim], { trace, onReached }),
    };
  }

  async peek(group: readonly Claim[]): Promise<Answer> {
    this.#calls.assertOpen();
    return this.#peek(group);
  }

  /** In one call, unless keys of a Cluster have several hash tags. */
  async read(group: readonly Claim[]): Promise<readonly Reading[]> {
    this.#callsAfterChecks();
    const readings = new Map<Claim, Reading>();
    const read = async (part: readonly Claim[]) => {
      const policies = part.flatMap(({ policy }) => policyArguments(beside.of(policy)?.plain(policy) ?? policy));
      const besides = part.flatMap(({ key, policy }) => beside.of(policy)?.keysOf(key) ?? []);
      const reply = await this.#calls.run(scripts.states, [...keysOf(part), ...besides], policies);
      const found = readingsOf(reply, part, besides);
      for (const [index, claim] of part.entries()) readings.set(claim, found[index]!);
    };
    await Promise.all(this.#calls.split(group).map(read));
    return group.map((claim) => readings.get(claim)!);
  }

  refund(receipts: readonly Receipt[]): MaybePromise<number> {
    if (this.#calls.isClosed) return Promise.reject(closedError());
    return receipts.every(endsWithRequest) ? this.#running.release(receipts) : this.#refunds.refund(receipts);
  }

  async renew(receipts: readonly Receipt[]): Promise<readonly (number | Error)[]> {
    this.#calls.assertOpen();
    return this.#running.renew(receipts);
  }

  isRefusal(error: unknown): boolean {
    return isRefusal(error);
  }

  /** @throws StoreError for a key that cannot be read */
  async act({ key }: StateKey, { name, args }: KeyAct): Promise<ActValues> {
    this.#callsAfterChecks();
    const reply = parseReply(await this.#calls.run(acts[name]!, [key], args)) as ActValues;
    if (typeof reply[0] === 'string') throw unreadableKey(reply[0]);
    return reply;
  }

  keys(begin: string, end: string): AsyncIterable<readonly string[]> {
    this.#calls.assertOpen();
    return new KeyScan(this.#calls).everywhere(begin, end);
  }

  async reset(keys: readonly string[]): Promise<void> {
    this.#callsAfterChecks();
    const all = keys.flatMap((key) => [key, besideKey(key, 'notes')]);
    const parts = this.#calls.split(all.map((key) => ({ key })));
    await Promise.all(parts.map((part) => this.#calls.run(scripts.reset, keysOf(part))));
  }

  async recorded(key: string): Promise<readonly string[]> {
    this.#callsAfterChecks();
    return (await this.#calls.run(scripts.recorded, [besideKey(key, 'notes')])) as string[];
  }

  async readList(key: string, { epoch, added, removed }: ListPosition): Promise<ListPage> {
    return listPage(await this.#calls.runAside(scripts['read-list'], listKeys(key), [epoch, added, removed]));
  }

  async changeList(key: string, changes: readonly ListChange[], most: number): Promise<ListChanged | undefined> {
    const args = changeArguments(changes, most);
    return listChanged(await this.#calls.runAside(scripts['change-list'], listKeys(key), args));
  }

  async restoreList(key: string, lost: LostItems): Promise<boolean> {
    return Number(await this.#calls.runAside(scripts['restore-list'], listKeys(key), restoreArguments(lost))) === 1;
  }

  ready(): Promise<void> {
    const prefixes = () => new Set(limitersOf(this).map(({ prefix }) => prefix));
    return untilReady({ batcher: this.#batcher, calls: this.#calls, prefixes });
  }

  async close(): Promise<void> {
    // What waits is answered before, so that it asks no closed store.
    await closing(this);
    this.#calls.close();
    this.#calls.flush();
    await Promise.all([this.#running.ended(), this.#refunds.ended()]);
    await Promise.allSettled([this.#connection.idle(), ...this.#pending]);
    await this.#client?.end();
  }

  async #peek(group: readonly Claim[]): Promise<Answer> {
    this.#refunds.flush();
    const parts = this.#calls.split(group);
    const answers = await Promise.all(parts.map((part) => this.#batcher.peek(part)));
    return answers.length === 1 ? answers[0]! : mergeAnswers(group, parts, answers);
  }

  /** Stores the texts of an admitted request. A failure is ignored, because it must not fail the request. */
  #record(claims: readonly Claim[]): Promise<unknown> {
    const parts = this.#calls.split(claims.filter(({ record }) => record !== undefined));
    const calls = parts.map((part) => {
      const keys = [...keysOf(part), ...part.map(({ key }) => besideKey(key, 'notes'))];
      return this.#calls.run(
        scripts.record,
        keys,
        part.map(({ record }) => record!),
      );
    });
    return Promise.allSettled(calls);
  }

  async #chargeFirst(claim: Claim): Promise<void> {
    this.#calls.assertOpen();
    const call = encodeChecks([{ group: [claim], isPeek: false }]);
    const { rulings } = call.decode(await this.#calls.sendAnyway({ ...call, by: 'source' }));
    if (typeof rulings[0] === 'string') throw unreadableKey(rulings[0]);
  }

  async #releaseFirst(receipts: readonly Receipt[]): Promise<readonly (number | Error)[]> {
    this.#calls.assertOpen();
    return this.#running.releaseFirst(receipts);
  }

  #track<T>(operation: Promise<T>): Promise<T> {
    const forget = () => void this.#pending.delete(operation);
    this.#pending.add(operation);
    operation.then(forget, forget);
    return operation;
  }

  /** The next call runs after the pending checks and refunds. @throws StoreError STORE_CLOSED */
  #callsAfterChecks(): void {
    this.#calls.assertOpen();
    this.#calls.flush();
    this.#refunds.flush();
  }
}
