import type { Redis } from 'ioredis';
import { algorithmOf, typeOf, type KnownShapes } from './known-shapes.js';
import { parseKey } from './key-name.js';
import { ask, ownName } from './scan.js';
import { Tally, type FoundKey } from './tally.js';

/** Names of keys that are printed. */
const SHOWN = 5;

/** Keys with one fault. */
export interface Fault {
  count: number;
  readonly examples: string[];
  /** The bytes of the first of them. */
  first: Buffer | undefined;
}

/** What is in Redis under the prefixes of limiters. */
export class Inventory {
  readonly tallies = new Map<string, Tally>();
  readonly withoutExpiry = newFault();
  readonly wrongType = newFault();
  /** Under a prefix, and not made by a limiter. */
  readonly foreign = newFault();
  /** Of shapes that no tier of the configuration has. */
  readonly orphans = newFault();
  /** Commands that the user may not run. */
  readonly unchecked = new Set<string>();
  keys = 0;
  /** Beginnings of keys, as they are in Redis. */
  readonly prefixes: readonly string[];
  readonly #known: KnownShapes | undefined;

  constructor(prefixes: readonly string[], known: KnownShapes | undefined) {
    this.prefixes = prefixes;
    this.#known = known;
  }

  add(found: FoundKey): void {
    const { key, ttl, type } = found;
    if (ttl === undefined) this.unchecked.add('pttl');
    if (type === undefined) this.unchecked.add('type');
    const name = parseKey(key, this.prefixes);
    if (name === 'tool') return;
    if (ttl === -1) note(this.withoutExpiry, found);
    this.keys += 1;
    if (name === undefined || algorithmOf(name.shape) === undefined) return note(this.foreign, found);
    if (type !== undefined && type !== typeOf(name)) note(this.wrongType, found);
    if (this.#known?.has(name) === false) note(this.orphans, found);
    const group = [name.prefix, name.tier, name.shape, name.isRecord].join(' ');
    const tally = this.tallies.get(group) ?? new Tally(name);
    this.tallies.set(group, tally.add(found));
  }

  /** False without a configuration, or if its tiers are not all known. */
  get knowsShapes(): boolean {
    return this.#known !== undefined;
  }

  isOrphan({ name }: Tally): boolean | undefined {
    return this.#known && !this.#known.has(name);
  }

  /** Measures a sample of the keys of each tier. */
  async measure(): Promise<void> {
    for (const tally of this.tallies.values()) {
      const sizes = await sizesOf(tally.measured.values);
      const known = sizes.filter((each) => each !== undefined);
      if (known.length === 0) this.unchecked.add('memory|usage');
      else tally.bytes = Math.round((known.reduce((sum, each) => sum + each, 0) / known.length) * tally.keys);
    }
  }

  get isFit(): boolean {
    return [this.withoutExpiry, this.wrongType, this.foreign, this.orphans].every(({ count }) => count === 0);
  }
}

/** Bytes of keys. Undefined for those that the user may not measure, or that have expired. */
async function sizesOf(found: readonly FoundKey[]): Promise<readonly (number | undefined)[]> {
  const servers = new Map<Redis, FoundKey[]>();
  for (const each of found) servers.set(each.redis, [...(servers.get(each.redis) ?? []), each]);
  const sizes = await Promise.all([...servers].map(([redis, keys]) => sizesOn(redis, keys)));
  return sizes.flat();
}

async function sizesOn(redis: Redis, keys: readonly FoundKey[]): Promise<readonly (number | undefined)[]> {
  // ioredis 6 adds its prefix to the key of this command, and ioredis 5 does not: one of the two names is there.
  const names = keys.map(({ name }) => [name, ...(redis.options.keyPrefix ? [ownName(redis, name)] : [])]);
  const replies = await ask(
    redis,
    names.flat().map((name) => ['memory', 'USAGE', name]),
  );
  let at = 0;
  return names.map(({ length }) => {
    const sizes = replies.slice(at, (at += length));
    return sizes.find((size): size is number => typeof size === 'number');
  });
}

function newFault(): Fault {
  return { count: 0, examples: [], first: undefined };
}

function note(fault: Fault, { key, name }: FoundKey): void {
  fault.count += 1;
  fault.first ??= name;
  if (fault.examples.length < SHOWN) fault.examples.push(key);
}
