/** What a key holds. Texts are bytes, one character each. */
export type Value = string | string[] | SortedSet | Hash;
export type SortedSet = Map<string, number>;
/** A hash is a class of its own, so that it differs from a sorted set. */
export class Hash extends Map<string, string> {}

interface Entry {
  value: Value;
  /** In milliseconds since 1970; Infinity: never. */
  expiresAt: number;
}

/** The keys of a server. A key lives through its last millisecond, as in Redis. */
export class Keyspace {
  /** The server's clock, in milliseconds since 1970: it stands while a script runs. */
  now = 0;
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#find(key)?.value;
  }

  expiresAt(key: string): number | undefined {
    return this.#find(key)?.expiresAt;
  }

  /** Keeps the time of the key unless one is given. */
  set(key: string, value: Value, expiresAt = this.expiresAt(key) ?? Infinity): void {
    this.#entries.set(key, { value, expiresAt });
  }

  expire(key: string, expiresAt: number): void {
    if (expiresAt <= this.now) this.#entries.delete(key);
    else this.#find(key)!.expiresAt = expiresAt;
  }

  delete(key: string): boolean {
    return this.#find(key) !== undefined && this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  keys(): string[] {
    return [...this.#entries.keys()].filter((key) => this.#find(key) !== undefined);
  }

  /** A copy, as a replica or a file has it. */
  copy(): Keyspace {
    const copy = new Keyspace();
    for (const [key, { value, expiresAt }] of this.#entries) copy.set(key, copyOf(value), expiresAt);
    return copy;
  }

  /** Takes a key over from another server. False if it has the key already: then the other one drops its own. */
  take(key: string, from: Keyspace): boolean {
    const entry = from.#entries.get(key);
    from.#entries.delete(key);
    if (entry === undefined || this.#entries.has(key)) return entry === undefined;
    this.#entries.set(key, entry);
    return true;
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.now <= entry.expiresAt) return entry;
    this.#entries.delete(key);
    return undefined;
  }
}

function copyOf(value: Value): Value {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return [...value];
  return value instanceof Hash ? new Hash(value) : new Map(value);
}
