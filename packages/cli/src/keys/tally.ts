import type { KeyName } from '@sluice/metrics/operations';
import type { Redis } from 'ioredis';
import { Sample } from './sample.js';

/** Keys whose bytes are measured. */
const MEASURED = 200;
/** Times to live of which the median is taken. */
const TIMED = 10_000;

/** A key on its server. */
export interface FoundKey {
  readonly redis: Redis;
  /** As text. */
  readonly key: string;
  /** Its bytes: the key of another program need not be text. */
  readonly name: Buffer;
  /** Milliseconds; -1 for a key without expiry. Undefined if the user may not ask. */
  readonly ttl: number | undefined;
  /** Undefined if the user may not ask. */
  readonly type: string | undefined;
}

/** The keys of one kind, tier and shape. */
export class Tally {
  readonly name: KeyName;
  readonly measured = new Sample<FoundKey>(MEASURED);
  keys = 0;
  least = Infinity;
  most = -Infinity;
  /** Bytes of all keys, by those of the sample. Undefined if the user may not ask. */
  bytes: number | undefined;
  readonly #ttls = new Sample<number>(TIMED);

  constructor(name: KeyName) {
    this.name = name;
  }

  add(found: FoundKey): this {
    const { ttl } = found;
    this.keys += 1;
    this.measured.add(found);
    if (ttl === undefined || ttl < 0) return this;
    this.least = Math.min(this.least, ttl);
    this.most = Math.max(this.most, ttl);
    this.#ttls.add(ttl);
    return this;
  }

  /** Milliseconds. Undefined if no key expires. */
  get median(): number | undefined {
    const sorted = this.#ttls.values.toSorted((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)];
  }
}
