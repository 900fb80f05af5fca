// encoding/ turns checks into script calls, and replies into rulings. Checks enter. It imports client, for hash tags.
import type { Claim, Policy, RequestFacts, Ruling } from '@sluice/core/internal';
import type { Script } from '@sluice/core/scripts';

/** The claims of one request, which are decided together. */
export interface Check {
  readonly group: readonly Claim[];
  /** Decides and changes nothing. */
  readonly isPeek: boolean;
  readonly facts?: Pick<RequestFacts, 'labels'> | undefined;
}

/** One call of a script that decides checks. */
export interface ScriptRequest {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  /** Reads the reply of the script. @throws where it is not one that the script can give */
  decode(reply: unknown): DecodedReply;
}

export interface DecodedReply {
  /** Microseconds of the server's clock. */
  readonly now: number;
  /** For each check in order its rulings, or the error of a key that Redis could not read. */
  readonly rulings: readonly (readonly Ruling[] | string)[];
}

/** An integer, an error text, or several of them. */
export type ReplyItem = number | string | readonly ReplyItem[];

/** Keys of a call, each once. */
export interface DistinctKeys {
  /** In the order of their first appearance. */
  readonly keys: readonly string[];
  /** The index in `keys` for the key of each claim. It is undefined if all keys differ. */
  readonly indexes: readonly number[] | undefined;
}

/** A policy as the scripts read it: its algorithm's code, how many numbers follow, the numbers. */
export function policyArguments(policy: Policy): readonly string[] {
  return [policy.algorithm.twin, policy.numbers.length, ...policy.numbers].map(String);
}

export function dedupeKeys(given: readonly string[]): DistinctKeys {
  if (areOne(given)) return { keys: given.slice(0, 1), indexes: new Array<number>(given.length).fill(0) };
  const known = new Map<string, number>();
  const indexes = new Array<number>(given.length);
  for (let place = 0; place < given.length; place += 1) {
    const key = given[place]!;
    let index = known.get(key);
    if (index === undefined) {
      index = known.size;
      known.set(key, index);
    }
    indexes[place] = index;
  }
  return known.size === given.length ? { keys: given, indexes: undefined } : { keys: [...known.keys()], indexes };
}

/** Whether a hot key repeats through the whole call. */
function areOne(keys: readonly string[]): boolean {
  const [first] = keys;
  // The last key alone usually settles it.
  for (let place = keys.length - 1; place > 0; place -= 1) if (keys[place] !== first) return false;
  return keys.length > 1;
}

const DOUBLE_BYTES = 8;

/**
 * Reads a reply of integers and error texts. It is packed doubles or an array; some clients hand every number over as a
 * string.
 */
export function parseReply(reply: unknown): readonly ReplyItem[] {
  if (Buffer.isBuffer(reply)) return readDoubles(reply);
  const items = reply as readonly ReplyItem[];
  return items.every((item) => typeof item === 'number') ? items : items.map(parseItem);
}

/** No server had an earlier time: September 2001, in microseconds. Counts and flags of other replies are smaller. */
const MIN_TIME = 1e15;

/** The time of the server, with which the reply to checks begins. @throws TypeError for a reply of another form */
export function timeOf(items: readonly ReplyItem[]): number {
  const now = integerAt(items, 0);
  if (now < MIN_TIME) throw new TypeError('the reply has no time');
  return now;
}

/** @throws TypeError for a reply of another form */
export function integerAt(items: readonly ReplyItem[], position: number): number {
  const item = items[position];
  if (!Number.isSafeInteger(item)) throw new TypeError('the reply has no integer where one belongs');
  return item as number;
}

/** @throws TypeError for the reply to other checks */
export function assertLength(items: readonly ReplyItem[], length: number): void {
  if (items.length !== length) throw new TypeError(`the reply has ${items.length} items, and ${length} belong to it`);
}

function parseItem(item: ReplyItem): ReplyItem {
  if (typeof item === 'number') return item;
  if (typeof item !== 'string') return Buffer.isBuffer(item) ? item.toString() : parseReply(item);
  const number = Number(item);
  return Number.isNaN(number) ? item : number;
}

function readDoubles(packed: Buffer): readonly number[] {
  const numbers = new Array<number>(packed.length / DOUBLE_BYTES);
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = packed.readDoubleLE(index * DOUBLE_BYTES);
  return numbers;
}
