import type { KeyLoss, KeyTable } from '@sluice/metrics/operations';
import type { Redis } from 'ioredis';
import { Fault } from './fault.js';
import { keyTable } from './key-table.js';
import type { KnownShapes } from './known-shapes.js';
import { ask, ownName } from './scan.js';
import { Tally, type FoundKey } from './tally.js';

/** What is worth nothing where no tier of the configuration has the shape. */
const OF_TIERS: ReadonlySet<KeyLoss> = new Set(['counts', 'texts']);

/** Milliseconds in which a key is gone that costs nothing. */
const MOMENT = 1_000;

/** What is in Redis under the prefixes of limiters. */
export class Inventory {
  readonly tallies = new Map<string, Tally>();
  /** Of kinds that must have an end. */
  readonly withoutExpiry = new Fault();
  readonly wrongType = new Fault();
  /** Under a prefix, and not written by Sluice. */
  readonly foreign = new Fault();
  /** Counts of shapes that no tier of the configuration has. */
  readonly orphans = new Fault();
  /** What no tier of the configuration has the shape of, and must not be lost, such as credits. */
  readonly stranded = new Fault();
  /** Commands that the user may not run. */
  readonly unchecked = new Set<string>();
  keys = 0;
  /** Beginnings of keys, as they are in Redis. */
  readonly prefixes: readonly string[];
  readonly #known: KnownShapes | undefined;
  readonly #table: KeyTable;

  constructor(prefixes: readonly string[], known: KnownShapes | undefined) {
    this.prefixes = prefixes;
    this.#known = known;
    this.#table = keyTable(prefixes);
  }

  add(found: FoundKey): void {
    const { key, ttl, type } = found;
    if (ttl === undefined) this.unchecked.add('pttl');
    if (type === undefined) this.unchecked.add('type');
    const name = this.#table.find(key);
    // Such as a probe of a store that has just started.
    if (name?.kind.loss === 'nothing' && isMoment(ttl)) return;
    this.keys += 1;
    if (name === undefined) return this.foreign.add(found);
    const { kind, prefix, tier = name.name, shape } = name;
    if (ttl === -1 && kind.stays !== true) this.withoutExpiry.add(found, kind);
    if (type !== undefined && type !== kind.type) this.wrongType.add(found, kind);
    if (this.#known?.has(name) === false) this[OF_TIERS.has(kind.loss) ? 'orphans' : 'stranded'].add(found, kind);
    const group = [prefix, kind.name, tier, shape].join(' ');
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
    return [this.withoutExpiry, this.wrongType, this.foreign, this.orphans, this.stranded].every(
      ({ count }) => count === 0,
    );
  }
}

function isMoment(ttl: number | undefined): boolean {
  return ttl !== undefined && ttl >= 0 && ttl <= MOMENT;
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
