import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { definePolicy, type PolicyOptions } from '../../packages/core/src/algorithms/named/policy-options.js';
import type { Claim } from '../../packages/core/src/model/claim.js';
import { encodeChecks } from '../../packages/redis/src/batch/batch.js';
import type { Script } from '../../packages/core/src/scripts/script.js';
import { joinParts } from '../../packages/core/src/scripts/scripts.js';
import { startRedis } from '../support/redis.js';
import { table } from './table.js';

// npm run tool -- bytes
// The memory of a key in Redis, compared with a bare counter with a TTL, and the time of a long log.

interface Row {
  readonly name: string;
  readonly options: PolicyOptions;
  /** Charged one after the other, a millisecond apart. */
  readonly costs: readonly number[];
  /** Bytes more than a bare counter, where the docs promise a bound. */
  readonly above?: number;
}

const MINUTE = { limit: 100, window: 60_000 } as const;
const PACKED = 2 ** 20 - 1;

const FIXED = { algorithm: 'fixed-window', ...MINUTE } as const;
const BUCKET = { algorithm: 'token-bucket', ...MINUTE } as const;
const LEAKY = { algorithm: 'leaky-bucket', ...MINUTE } as const;
const SECOND_AND_MINUTE = { algorithm: 'multi-window', windows: [MINUTE, { limit: 10, window: 1000 }] } as const;

const rows: readonly Row[] = [
  { name: 'fixed-window', options: FIXED, costs: [1, 50], above: 0 },
  { name: 'fixed-window, clock', options: { ...FIXED, anchor: 'clock' as const }, costs: [1, 50], above: 0 },
  { name: 'sliding-window', options: MINUTE, costs: [1, 50], above: 0 },
  { name: 'sliding-window, 5 a day', options: { limit: 5, window: '1d' }, costs: [5], above: 32 },
  { name: 'sliding-window, limit 64', options: { ...MINUTE, limit: 64 }, costs: [64], above: 384 },
  { name: 'sliding-window, limit 2^20 - 1', options: { ...MINUTE, limit: PACKED }, costs: [1, PACKED - 1], above: 0 },
  { name: 'sliding-window, limit 2^20', options: { ...MINUTE, limit: PACKED + 1 }, costs: [1, PACKED], above: 32 },
  { name: 'token-bucket, 60 a minute', options: { ...BUCKET, limit: 60 }, costs: [1, 50], above: 0 },
  { name: 'token-bucket, 7 a minute', options: { ...BUCKET, limit: 7 }, costs: [1, 3], above: 32 },
  {
    name: 'token-bucket, 8 999 999 a day',
    options: { ...BUCKET, limit: 8_999_999, window: '1d' },
    costs: [1, 1001],
    above: 32,
  },
  { name: 'leaky-bucket, 7 a minute', options: { ...LEAKY, limit: 7, queue: 5 }, costs: [1, 3], above: 32 },
  { name: 'sliding-window, precision 10', options: { ...MINUTE, precision: 10 }, costs: [1, 50] },
  { name: 'sliding-window, precision 50', options: { ...MINUTE, precision: 50 }, costs: [1, 50] },
  { name: 'sliding-window, strict', options: { ...MINUTE, strict: true }, costs: [1, 50] },
  { name: 'multi-window, 1 s and 1 min', options: SECOND_AND_MINUTE, costs: [1, 5] },
];

const logs = [100, 1000, 10_000];
const ENTRY_MAX = 12;

class Bench {
  /** For each key, so that none expires during the turn of another. */
  readonly #clocks = new Map<string, number>();
  readonly #shas = new Map<string, string>();

  constructor(readonly redis: Redis) {}

  /** Runs the product's script on a clock of a millisecond a call. */
  async charge(key: string, options: PolicyOptions, costs: readonly number[]): Promise<void> {
    const policy = definePolicy(options);
    for (const cost of costs) await this.#run({ tier: 'tier', key, policy, cost, shadow: false, record: undefined });
  }

  /** Microseconds of Redis for checks of one unit. */
  async time(key: string, options: PolicyOptions, checks: number): Promise<number> {
    await this.redis.config('RESETSTAT');
    await this.charge(key, options, new Array<number>(checks).fill(1));
    const stats = await this.redis.info('commandstats');
    return Number(/cmdstat_evalsha:calls=\d+,usec=(\d+)/.exec(stats)![1]) / checks;
  }

  async #run(claim: Claim): Promise<void> {
    const { script, args } = encodeChecks([{ group: [claim], isPeek: false }]);
    const now = (this.#clocks.get(claim.key) ?? Date.now() * 1000) + 1000;
    this.#clocks.set(claim.key, now);
    await this.redis.evalsha(await this.#load(script), 1, claim.key, ...args, now);
  }

  async #load({ source }: Script): Promise<string> {
    const known = this.#shas.get(source);
    if (known !== undefined) return known;
    const text = source.replace(joinParts(['clock']), 'local now_us = tonumber(table.remove(ARGV))');
    const sha = (await this.redis.script('LOAD', text)) as string;
    this.#shas.set(source, sha);
    return sha;
  }
}

async function main(): Promise<void> {
  const server = await startRedis();
  const redis = new Redis(server.path);
  try {
    const bench = new Bench(redis);
    const counter = await counterBytes(redis);
    console.log(`MEMORY USAGE of keys of 42 characters; a bare INCR counter with a TTL takes ${counter} bytes\n`);
    const shorts = [];
    for (const row of rows) shorts.push(await short(bench, row, counter));
    console.log(table([['', 'bytes', 'more', 'allowed', ''], ...shorts]));

    const longs = [];
    for (const entries of logs) longs.push(await long(bench, entries));
    console.log(`\nsliding-window-log\n\n${table([['entries', 'bytes', 'an entry', 'allowed', ''], ...longs])}`);
    await compareTimes(bench);
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

async function short(bench: Bench, { name, options, costs, above }: Row, counter: number) {
  const bytes = await measure(bench, name, options, costs);
  return [name, bytes, bytes - counter, above ?? '', verdict(above === undefined || bytes - counter <= above)];
}

async function long(bench: Bench, entries: number) {
  const options = { algorithm: 'sliding-window-log', limit: entries, window: '1h' } as const;
  const bytes = await measure(bench, `log ${entries}`, options, new Array<number>(entries).fill(1));
  return [entries, bytes, (bytes / entries).toFixed(2), ENTRY_MAX, verdict(bytes / entries <= ENTRY_MAX)];
}

/** Measures two logs in turns, so that noise affects both. */
async function compareTimes(bench: Bench): Promise<void> {
  const sizes = [100, 10_000];
  const options = (limit: number) => ({ algorithm: 'sliding-window-log', limit, window: limit }) as const;
  const times = new Map(sizes.map((size) => [size, [] as number[]]));
  for (const size of sizes) await bench.charge(keyOf(`turn ${size}`), options(size), new Array<number>(size).fill(1));
  for (let round = 0; round < 15; round += 1) {
    for (const size of sizes) {
      // It is full: one entry leaves for each new one.
      times.get(size)!.push(await bench.time(keyOf(`turn ${size}`), options(size), 400));
    }
  }
  const [few, many] = sizes.map((size) => median(times.get(size)!));
  console.log(
    `\nA check of cost 1 takes ${few!.toFixed(1)} us in a log of 100 and ${many!.toFixed(1)} us in one of 10 000: ${(many! / few!).toFixed(2)} times (at most 1.3 is allowed)`,
  );
}

/** Bytes of a charged key: its name, its value and the overhead of Redis. */
async function measure(bench: Bench, name: string, options: PolicyOptions, costs: readonly number[]): Promise<number> {
  await bench.charge(keyOf(name), options, costs);
  return usage(bench.redis, keyOf(name));
}

async function counterBytes(redis: Redis): Promise<number> {
  const key = keyOf('counter');
  await redis.incr(key);
  await redis.expire(key, 60);
  return usage(redis, key);
}

async function usage(redis: Redis, key: string): Promise<number> {
  return Number(await redis.memory('USAGE', key, 'SAMPLES', 0));
}

function verdict(holds: boolean): string {
  if (!holds) process.exitCode = 1;
  return holds ? '' : 'TOO MANY';
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

/** As long as a store key with a short tier name: rl:{22 characters}:tier:shape. */
function keyOf(name: string): string {
  const digest = createHash('sha256').update(name).digest('base64url');
  return `rl:{${digest.slice(0, 22)}}:per-min:sw1a2`.padEnd(42, '_');
}

await main();
