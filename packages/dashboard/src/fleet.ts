import { limitersOf, type Store } from '@sluice/core';
import { wireOf } from '@sluice/metrics/operations';

/** The commands that a fleet needs. They are within the rights of a limiter. */
export interface FleetClient {
  readonly status?: string;
  get(key: string): Promise<string | null>;
  set(key: string, value: string, unit: 'EX', seconds: number): Promise<unknown>;
  lrange(key: string, start: number, stop: number): Promise<string[]>;
  lpush(key: string, value: string): Promise<unknown>;
  ltrim(key: string, start: number, stop: number): Promise<unknown>;
  lrem(key: string, count: number, value: string): Promise<unknown>;
  pexpireat(key: string, milliseconds: number): Promise<unknown>;
}

const COMMANDS = ['get', 'set', 'lrange', 'lpush', 'ltrim', 'lrem', 'pexpireat'] as const;
/** How long an open page is announced. In seconds. */
const WATCHED = 6;
/** A summary lasts this long. In seconds. */
const SUMMARY = 10;
/** The list of processes is made again after a day: it must not be without an expiry. */
const LIST_MS = 86_400_000;
const MAX_PROCESSES = 256;

/**
 * Exchanges summaries between the processes of a fleet through their Redis. While no page is open, a beat is one GET.
 * There is no subscription: it would need a connection of its own.
 */
export class Fleet {
  readonly #client: FleetClient;
  readonly #store: Store;
  readonly #id: string;
  #isBusy = false;

  constructor(client: FleetClient, store: Store, id: string) {
    this.#client = client;
    this.#store = store;
    this.#id = id;
  }

  /**
   * To be called every two seconds.
   *
   * @param isWatching a page is open on this process
   * @param summary makes the summary of this process; called if a page is open on any process
   * @returns the summaries of the others for a process that is watching, [] for another one, undefined if no page is open
   * or Redis is away. Rejects as the client does
   */
  async beat(isWatching: boolean, summary: () => string): Promise<readonly string[] | undefined> {
    const { status = 'ready' } = this.#client;
    // During an outage a client may queue commands: one beat waits at most.
    if (this.#isBusy || status !== 'ready' || wireOf(this.#store)?.mistake() !== undefined) return undefined;
    this.#isBusy = true;
    try {
      return await this.#beat(isWatching, summary);
    } finally {
      this.#isBusy = false;
    }
  }

  async #beat(isWatching: boolean, summary: () => string): Promise<readonly string[] | undefined> {
    const client = this.#client;
    const watched = this.#key('watched');
    if (isWatching) await client.set(watched, '1', 'EX', WATCHED);
    else if ((await client.get(watched)) === null) return undefined;
    await client.set(this.#key(this.#id), summary(), 'EX', SUMMARY);
    const list = this.#key('processes');
    const ids = await client.lrange(list, 0, -1);
    if (!ids.includes(this.#id)) {
      await client.lpush(list, this.#id);
      await client.ltrim(list, 0, MAX_PROCESSES - 1);
      await client.pexpireat(list, Date.now() + LIST_MS);
    }
    const others = ids.filter((id) => id !== this.#id);
    if (!isWatching || others.length === 0) return [];
    // A limiter has no right to MGET.
    const texts = await Promise.all(others.map((id) => client.get(this.#key(id))));
    const gone = others.filter((_, index) => texts[index] === null);
    for (const id of gone) await client.lrem(list, 0, id);
    return texts.filter((text) => text !== null);
  }

  /** In one slot of a Cluster, and under a prefix of the limiters, because the user may have no rights beyond it. */
  #key(name: string): string {
    const [prefix = 'rl'] = limitersOf(this.#store)
      .map((limiter) => limiter.prefix)
      .toSorted();
    return `${prefix}:{~fleet}:${name}`;
  }
}

/** The client of a Redis store. Undefined if it cannot carry a fleet. */
export function fleetClient(store: Store): FleetClient | undefined {
  const client = wireOf(store)?.client as FleetClient | undefined;
  return client && COMMANDS.every((name) => typeof client[name] === 'function') ? client : undefined;
}
