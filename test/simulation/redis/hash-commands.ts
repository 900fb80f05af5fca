import type { Command } from './command.js';
import { Hash } from './keyspace.js';
import { added, hash, settle } from './readers.js';

export const hashCommands: Readonly<Record<string, Command>> = {
  HGET: { run: (keyspace, [key, field]) => hash(keyspace, key!)?.get(field!) ?? null },
  HGETALL: { run: (keyspace, [key]) => [...(hash(keyspace, key!) ?? [])].flat() },
  HLEN: { run: (keyspace, [key]) => hash(keyspace, key!)?.size ?? 0 },
  HEXISTS: { run: (keyspace, [key, field]) => Number(hash(keyspace, key!)?.has(field!) ?? false) },
  HINCRBY: {
    writes: 'grows',
    run(keyspace, [key, field, by]) {
      const values = hash(keyspace, key!) ?? new Hash();
      const sum = added(values.get(field!) ?? '0', by!, 1n);
      values.set(field!, sum.toString());
      keyspace.set(key!, values);
      return Number(sum);
    },
  },
  HKEYS: { run: (keyspace, [key]) => [...(hash(keyspace, key!)?.keys() ?? [])] },
  HMGET: {
    run(keyspace, [key, ...fields]) {
      const values = hash(keyspace, key!);
      return fields.map((field) => values?.get(field) ?? null);
    },
  },
  HSET: {
    writes: 'grows',
    run(keyspace, [key, ...pairs]) {
      const values = hash(keyspace, key!) ?? new Hash();
      const before = values.size;
      for (let at = 0; at < pairs.length; at += 2) values.set(pairs[at]!, pairs[at + 1]!);
      keyspace.set(key!, values);
      return values.size - before;
    },
  },
  HDEL: {
    writes: 'shrinks',
    run(keyspace, [key, ...fields]) {
      const values = hash(keyspace, key!);
      if (values === undefined) return 0;
      const removed = fields.filter((field) => values.delete(field)).length;
      settle(keyspace, key!, values);
      return removed;
    },
  },
};
