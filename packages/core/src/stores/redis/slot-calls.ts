import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../store.js';
import { recordKey } from './encoding/mixed-groups.js';
import { parseReply } from './encoding/reply.js';
import { policyArguments } from './encoding/script-request.js';
import type { Batcher } from './batch/batcher.js';
import type { TimeLimit } from './connection/deadline.js';
import { hashTag } from './client/hash-tag.js';
import type { Script } from './lua/script.js';
import { unreadable } from './connection/redis-error.js';
import type { Connection } from './connection/connection.js';
import { scripts } from './lua/scripts.js';

const RECEIPTS_MAX = 96;

/** What a store asks of a client, in calls that each keep to one slot of a Cluster. */
export class SlotCalls {
  readonly #link: Connection;
  readonly #queue: Batcher;
  readonly #isCluster: boolean;

  constructor(link: Connection, queue: Batcher, isCluster: boolean) {
    this.#link = link;
    this.#queue = queue;
    this.#isCluster = isCluster;
  }

  /** In milliseconds. */
  get deadline(): number {
    return this.#link.deadline.milliseconds;
  }

  /** True for claims that one call can decide. */
  isOnePart(group: readonly Claim[]): boolean {
    return group.length === 1 || this.bySlot(group).length === 1;
  }

  /** What can go into one call: all of it, or on a Cluster what shares a hash tag. */
  bySlot<T extends { readonly key: string }>(items: readonly T[]): readonly (readonly T[])[] {
    if (items.length === 0) return [];
    if (!this.#isCluster) return [items];
    const parts = new Map<string, T[]>();
    for (const item of items) {
      const tag = hashTag(item.key);
      const part = parts.get(tag);
      if (part) part.push(item);
      else parts.set(tag, [item]);
    }
    return [...parts.values()];
  }

  /** Waits for what has been asked so far, also by other stores on this client. */
  idle(): Promise<void> {
    this.#queue.flush();
    return this.#link.settled();
  }

  /** The time of something that takes several calls. */
  timeLimit(): TimeLimit {
    return this.#link.deadline.timeLimit();
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
    const given = await Promise.all(
      this.bySlot(receipts)
        .flatMap(inSlices)
        .map((part) => this.#refundPart(part)),
    );
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

  /** Any script that names no key, for nobody knows yet which we may use. */
  ping(): Promise<unknown> {
    return this.#run(scripts.eviction, [], []);
  }

  async #refundPart(receipts: readonly Receipt[]): Promise<number> {
    const args = receipts.flatMap(({ policy, units, at, until }) => [...policyArguments(policy), units, at, until]);
    const given = parseReply(await this.#run(scripts[refundScript(receipts)], keysOf(receipts), args));
    const problem = given.find((each) => typeof each === 'string');
    if (problem !== undefined) throw unreadable(problem);
    return (given as number[]).reduce((sum, units) => sum + units, 0);
  }

  #run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const asked = performance.now();
    return new Promise((answer, fail) => {
      this.#link.send({ script, keys, arguments: args, groups: 0, asked, answer, fail }, asked);
    });
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
    sentAt: Math.min(...answers.map(({ sentAt = -Infinity }) => sentAt)),
  };
}

/** A call that gives back thousands would hold up all others. */
function inSlices<T>(items: readonly T[]): readonly (readonly T[])[] {
  const slices: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += RECEIPTS_MAX)
    slices.push(items.slice(start, start + RECEIPTS_MAX));
  return slices;
}

function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map(({ key }) => key);
}

/** The less a script defines, the sooner it is done. */
function refundScript(receipts: readonly Receipt[]): keyof typeof scripts {
  const codes = new Set(receipts.map(({ policy }) => algorithmOf(policy).code));
  return `refund-${codes.size === 1 ? [...codes][0]! : 'any'}`;
}
