import { toNumber } from '../lua/values.js';
import type { Command } from './command.js';
import { hashCommands } from './hash-commands.js';
import type { Keyspace } from './keyspace.js';
import { added, fail, integer, list, settle, sorted, text } from './readers.js';
import { ErrorReply, OK, type Reply } from './reply.js';

function increment(keyspace: Keyspace, key: string, by: string, sign: 1n | -1n): number {
  const sum = added(text(keyspace, key) ?? '0', by, sign);
  keyspace.set(key, sum.toString());
  return Number(sum);
}

const globs = new Map<string, RegExp>();

/** A pattern of keys, in which only `*` and `\` are more than a character. */
function globOf(pattern: string): RegExp {
  const known = globs.get(pattern);
  if (known !== undefined) return known;
  const source = pattern.replaceAll(/\\(.)|([*])|([^])/g, (_, literal?: string, any?: string, other?: string) => {
    if (any !== undefined) return '.*';
    const character = (literal ?? other)!;
    return /\w/.test(character) ? character : `\\${character}`;
  });
  const glob = new RegExp(`^${source}$`, 's');
  globs.set(pattern, glob);
  return glob;
}

type Members = [name: string, score: number][];

/** Members in order: by score, then by their bytes. */
function ordered(members: Members): Members {
  return members.toSorted(([name, score], [other, otherScore]) => score - otherScore || (name < other ? -1 : 1));
}

/** `(5`, `5`, `-inf`, `+inf`: whether a score is above it, or below. */
function limitOf(bound: string): { readonly score: number; readonly isOpen: boolean } {
  const isOpen = bound.startsWith('(');
  const score = toNumber(isOpen ? bound.slice(1) : bound);
  return score === undefined ? fail(new ErrorReply('ERR min or max is not a float')) : { score, isOpen };
}

function between(from: string, to: string): (score: number) => boolean {
  const [least, most] = [limitOf(from), limitOf(to)];
  return (score) =>
    (least.isOpen ? score > least.score : score >= least.score) &&
    (most.isOpen ? score < most.score : score <= most.score);
}

/** Indexes of a range, of which negative ones count from the end. */
function slice<T>(items: readonly T[], from: string, to: string): T[] {
  const place = (index: number) => (index < 0 ? items.length + index : index);
  return items.slice(Math.max(0, place(integer(from))), Math.max(0, place(integer(to)) + 1));
}

function range(keyspace: Keyspace, [key = '', from = '', to = '', ...options]: readonly string[]): Reply {
  const set = sorted(keyspace, key);
  let members: Members = [];
  if (set === undefined) return [];
  if (options.includes('BYSCORE')) {
    const isReversed = options.includes('REV');
    const isWithin = isReversed ? between(to, from) : between(from, to);
    for (const [name, score] of set) if (isWithin(score)) members.push([name, score]);
    members = ordered(members);
    if (isReversed) members.reverse();
    const limit = options.indexOf('LIMIT');
    if (limit >= 0) {
      const first = integer(options[limit + 1]!);
      members = members.slice(first, first + integer(options[limit + 2]!));
    }
  } else members = slice(ordered([...set]), from, to);
  return options.includes('WITHSCORES')
    ? members.flatMap(([name, score]) => [name, String(score)])
    : members.map(([name]) => name);
}

export const commands: Readonly<Record<string, Command>> = {
  GET: { run: (keyspace, [key]) => text(keyspace, key!) ?? null },
  MGET: {
    run: (keyspace, keys) =>
      keys.map((key) => {
        const value = keyspace.get(key);
        return typeof value === 'string' ? value : null;
      }),
  },
  SET: {
    writes: 'grows',
    run(keyspace, [key, value, option, time]) {
      if (option === 'PX') keyspace.set(key!, value!, keyspace.now + integer(time!));
      else keyspace.set(key!, value!, option === 'PXAT' ? integer(time!) : Infinity);
      return OK;
    },
  },
  SETRANGE: {
    writes: 'grows',
    run(keyspace, [key, offset, part]) {
      const at = integer(offset!);
      const padded = (text(keyspace, key!) ?? '').padEnd(at, '\0');
      const changed = padded.slice(0, at) + part! + padded.slice(at + part!.length);
      keyspace.set(key!, changed);
      return changed.length;
    },
  },
  INCR: { writes: 'grows', run: (keyspace, [key]) => increment(keyspace, key!, '1', 1n) },
  INCRBY: { writes: 'grows', run: (keyspace, [key, by]) => increment(keyspace, key!, by!, 1n) },
  DECRBY: { writes: 'grows', run: (keyspace, [key, by]) => increment(keyspace, key!, by!, -1n) },
  DEL: { writes: 'shrinks', run: (keyspace, keys) => keys.filter((key) => keyspace.delete(key)).length },
  UNLINK: { writes: 'shrinks', run: (keyspace, keys) => keys.filter((key) => keyspace.delete(key)).length },
  EXISTS: { run: (keyspace, keys) => keys.filter((key) => keyspace.get(key) !== undefined).length },
  PEXPIRETIME: {
    run(keyspace, [key]) {
      const expiresAt = keyspace.expiresAt(key!);
      return expiresAt === undefined ? -2 : expiresAt === Infinity ? -1 : expiresAt;
    },
  },
  PEXPIREAT: {
    writes: 'shrinks',
    run(keyspace, [key, time, option]) {
      const known = keyspace.expiresAt(key!);
      // A key without a time lives longer than any.
      if (known === undefined || (option === 'GT' && known >= integer(time!))) return 0;
      keyspace.expire(key!, integer(time!));
      return 1;
    },
  },
  PERSIST: {
    writes: 'shrinks',
    run(keyspace, [key]) {
      if ((keyspace.expiresAt(key!) ?? Infinity) === Infinity) return 0;
      keyspace.expire(key!, Infinity);
      return 1;
    },
  },
  SCAN: {
    run(keyspace, [, , pattern]) {
      const isFound = globOf(pattern!);
      return ['0', keyspace.keys().filter((key) => isFound.test(key))];
    },
  },
  LLEN: { run: (keyspace, [key]) => list(keyspace, key!)?.length ?? 0 },
  LINDEX: { run: (keyspace, [key, index]) => list(keyspace, key!)?.at(integer(index!)) ?? null },
  LRANGE: { run: (keyspace, [key, from, to]) => slice(list(keyspace, key!) ?? [], from!, to!) },
  RPUSH: {
    writes: 'grows',
    run(keyspace, [key, ...items]) {
      const all = [...(list(keyspace, key!) ?? []), ...items];
      keyspace.set(key!, all);
      return all.length;
    },
  },
  LPUSH: {
    writes: 'grows',
    run(keyspace, [key, ...items]) {
      const all = [...items.toReversed(), ...(list(keyspace, key!) ?? [])];
      keyspace.set(key!, all);
      return all.length;
    },
  },
  LPOP: {
    writes: 'shrinks',
    run(keyspace, [key, count]) {
      const items = list(keyspace, key!);
      if (items === undefined) return null;
      const popped = items.splice(0, integer(count!));
      settle(keyspace, key!, items);
      return popped;
    },
  },
  LTRIM: {
    writes: 'shrinks',
    run(keyspace, [key, from, to]) {
      const items = list(keyspace, key!);
      if (items) settle(keyspace, key!, slice(items, from!, to!));
      return OK;
    },
  },
  LREM: {
    writes: 'shrinks',
    run(keyspace, [key, count, item]) {
      const items = list(keyspace, key!);
      if (items === undefined) return 0;
      const isFromEnd = integer(count!) < 0;
      const most = Math.abs(integer(count!)) || Infinity;
      let removed = 0;
      const isKept = (each: string) => each !== item || removed >= most || ((removed += 1), false);
      const kept = isFromEnd ? items.toReversed().filter(isKept).toReversed() : items.filter(isKept);
      settle(keyspace, key!, kept);
      return removed;
    },
  },
  ZCARD: { run: (keyspace, [key]) => sorted(keyspace, key!)?.size ?? 0 },
  ZSCORE: {
    run(keyspace, [key, name]) {
      const score = sorted(keyspace, key!)?.get(name!);
      return score === undefined ? null : String(score);
    },
  },
  ZCOUNT: {
    run(keyspace, [key, from, to]) {
      const isWithin = between(from!, to!);
      let count = 0;
      for (const score of sorted(keyspace, key!)?.values() ?? []) if (isWithin(score)) count += 1;
      return count;
    },
  },
  ZRANGE: { run: range },
  ZADD: {
    writes: 'grows',
    run(keyspace, [key, ...args]) {
      const set = sorted(keyspace, key!) ?? new Map<string, number>();
      const before = set.size;
      const isLower = args[0] === 'LT';
      const pairs = isLower ? args.slice(1) : args;
      for (let at = 0; at < pairs.length; at += 2) {
        const score = toNumber(pairs[at])!;
        const known = isLower ? set.get(pairs[at + 1]!) : undefined;
        set.set(pairs[at + 1]!, Math.min(score, known ?? score));
      }
      keyspace.set(key!, set);
      return set.size - before;
    },
  },
  ZREM: {
    writes: 'shrinks',
    run(keyspace, [key, ...names]) {
      const set = sorted(keyspace, key!);
      if (set === undefined) return 0;
      const removed = names.filter((name) => set.delete(name)).length;
      settle(keyspace, key!, set);
      return removed;
    },
  },
  ZREMRANGEBYSCORE: {
    writes: 'shrinks',
    run(keyspace, [key, from, to]) {
      const set = sorted(keyspace, key!);
      if (set === undefined) return 0;
      const isWithin = between(from!, to!);
      const before = set.size;
      for (const [name, score] of set) if (isWithin(score)) set.delete(name);
      settle(keyspace, key!, set);
      return before - set.size;
    },
  },
  ...hashCommands,
  INFO: { run: () => 'maxmemory:0\r\nmaxmemory_policy:noeviction\r\n' },
};
