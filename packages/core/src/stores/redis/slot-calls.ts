import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../store.js';
import { policyArguments, recordKey } from './check-call.js';
import { CheckQueue } from './check-queue.js';
import { numbersOf } from './check-reply.js';
import { hashTag } from './hash-tag.js';
import { runScript, type RedisClient, type Script } from './redis-client.js';
import { toStoreError, unreadable } from './redis-error.js';
import { scripts } from './scripts.js';

// Per client and not per store: checks of all stores on one connection travel together.
const queues = new WeakMap<RedisClient, CheckQueue>();

/** What a store asks of a client, in calls that each keep to one slot of a Cluster. */
export class SlotCalls {
  readonly #client: RedisClient;
  readonly #queue: CheckQueue;

  constructor(client: RedisClient) {
    this.#client = client;
    this.#queue = queues.get(client) ?? new CheckQueue(client);
    queues.set(client, this.#queue);
  }

  /** What can go into one call: all of it, or on a Cluster what shares a hash tag. */
  bySlot<T extends { readonly key: string }>(items: readonly T[]): readonly (readonly T[])[] {
    if (items.length === 0) return [];
    if (this.#client.isCluster !== true) return [items];
    const parts = new Map<string, T[]>();
    for (const item of items) {
      const tag = hashTag(item.key);
      const part = parts.get(tag);
      if (part) part.push(item);
      else parts.set(tag, [item]);
    }
    return [...parts.values()];
  }

  /** Waits for the checks that have been asked so far, also those of other stores on this client. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** @param group claims of one slot */
  consume(group: readonly Claim[]): Promise<Answer> {
    return this.#queue.ask(group, false);
  }

  async peek(group: readonly Claim[]): Promise<Answer> {
    const parts = this.bySlot(group);
    const answers = await Promise.all(parts.map((part) => this.#queue.ask(part, true)));
    return answers.length === 1 ? answers[0]! : mergeAnswers(group, parts, answers);
  }

  async refund(receipts: readonly Receipt[]): Promise<number> {
    this.#queue.flush();
    const given = await Promise.all(this.bySlot(receipts).map((part) => this.#refundPart(part)));
    return given.reduce((sum, units) => sum + units, 0);
  }

  /** Keeps the texts of a request that several calls have admitted. A text is not worth failing for. */
  async record(claims: readonly Claim[]): Promise<void> {
    const noted = this.bySlot(claims.filter(({ record }) => record !== undefined));
    const keys = (part: readonly Claim[]) => [...part.map(({ key }) => key), ...part.map(({ key }) => recordKey(key))];
    const texts = (part: readonly Claim[]) => part.map(({ record }) => record!);
    await Promise.allSettled(noted.map((part) => this.#run(scripts.record, keys(part), texts(part))));
  }

  async reset(keys: readonly string[]): Promise<void> {
    this.#queue.flush();
    const both = keys.flatMap((key) => [{ key }, { key: recordKey(key) }]);
    await Promise.all(this.bySlot(both).map((part) => this.#run(scripts.reset, keysOf(part), [])));
  }

  async inspect(key: string): Promise<readonly string[]> {
    this.#queue.flush();
    return (await this.#run(scripts.inspect, [recordKey(key)], [])) as string[];
  }

  async #refundPart(receipts: readonly Receipt[]): Promise<number> {
    const args = receipts.flatMap(({ policy, units, at, until }) => [...policyArguments(policy), units, at, until]);
    const given = numbersOf(await this.#run(scripts[refundScript(receipts)], keysOf(receipts), args));
    const problem = given.find((each) => typeof each === 'string');
    if (problem !== undefined) throw unreadable(problem);
    return (given as number[]).reduce((sum, units) => sum + units, 0);
  }

  async #run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await runScript(this.#client, script, keys, args);
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

/** Puts the answers of parts into the order of the whole. */
export function mergeAnswers(
  group: readonly Claim[],
  parts: readonly (readonly Claim[])[],
  answers: readonly Answer[],
): Answer {
  const byClaim = new Map(
    parts.flatMap((part, index) => part.map((claim, at) => [claim, answers[index]!.outcomes[at]!] as const)),
  );
  return {
    outcomes: group.map((claim) => byClaim.get(claim)!),
    receipts: answers.flatMap((answer) => answer.receipts),
    source: 'redis',
  };
}

function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map(({ key }) => key);
}

/** The less a script defines, the sooner it is done. */
function refundScript(receipts: readonly Receipt[]): keyof typeof scripts {
  const codes = new Set(receipts.map(({ policy }) => algorithmOf(policy).code));
  return `refund-${codes.size === 1 ? [...codes][0]! : 'any'}`;
}
