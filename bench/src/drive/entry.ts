import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { SkippedWork, type Runner } from '../contestants/contestant.js';
import { contestantNamed } from '../contestants/index.js';
import { CountingClient } from './counting-client.js';
import { slice, type SliceCount, type SliceOrder } from './slice.js';
import { keysOf, nameOf, type Keys, type Workload } from './workload.js';

/** Options of an entry. */
export interface EntryOptions {
  readonly contestant: string;
  /** The port of Redis; 0 for a contestant in memory. */
  readonly port: number;
  readonly limit: number;
  readonly window: number;
  readonly prefix: string;
  readonly maxKeys: number;
  readonly workload: Workload;
  readonly seed: number;
}

export interface SliceResult extends SliceCount {
  /** Commands that went to Redis. */
  readonly sent: number;
  /** Answers that rightly needed no call to Redis. */
  readonly fromProcess: number;
}

/** Keys of a limit that are used up at the same time. */
const AT_ONCE = 50;
/** Retries of a check that was answered without its work, and milliseconds between them. */
const TRIES = 100;
const PAUSE = 20;

/** A contestant that is open for one cell of the benchmark. */
export class Entry {
  readonly #clients: CountingClient[] = [];
  #runner!: Runner;
  #keys!: Keys;

  static async open(options: EntryOptions): Promise<Entry> {
    const { contestant, port, limit, window, prefix, maxKeys, workload, seed } = options;
    const entry = new Entry();
    const connect = () => {
      const client = new CountingClient(port, '127.0.0.1');
      entry.#clients.push(client);
      return client;
    };
    const file = await contestantNamed(contestant).load();
    const url = `redis://127.0.0.1:${port}`;
    entry.#runner = await file.open({ limit, window, prefix, maxKeys, connect, url });
    await Promise.all(entry.#clients.map(untilReady));
    entry.#keys = keysOf(workload, seed);
    return entry;
  }

  /** Uses up the limits of the keys that the workload lists. */
  async spend(limit: number): Promise<void> {
    const queue = [...this.#keys.spent];
    const spendNext = async () => {
      for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
        for (let unit = 0; unit <= limit; unit += 1) await this.#ask(key);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, spendNext));
  }

  /** Checks each of this many new keys once. */
  async fill(keys: number, inFlight: number): Promise<void> {
    let index = 0;
    const askNext = async () => {
      while (index < keys) {
        const name = nameOf(index);
        index += 1;
        await this.#ask(name);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, askNext));
  }

  async slice(order: SliceOrder): Promise<SliceResult> {
    const sent = this.#sent();
    const fromProcess = this.#fromProcess();
    const count = await slice(this.#runner, this.#keys, order);
    return { ...count, sent: this.#sent() - sent, fromProcess: this.#fromProcess() - fromProcess };
  }

  close(): void {
    for (const client of this.#clients) client.disconnect();
    void this.#runner.close?.();
  }

  /** Retries until the work is done, because a process that has just started may miss the deadline. */
  async #ask(key: string): Promise<void> {
    for (let left = TRIES; left > 0; left -= 1) {
      try {
        this.#runner.admitted(await this.#runner.check(key));
        return;
      } catch (error) {
        if (this.#runner.isDenial?.(error)) return;
        if (!(error instanceof SkippedWork) || left === 1) throw error;
      }
      await delay(PAUSE);
    }
  }

  #sent(): number {
    return this.#clients.reduce((sum, { sent }) => sum + sent, this.#runner.sent?.() ?? 0);
  }

  #fromProcess(): number {
    return this.#runner.fromProcess?.() ?? 0;
  }
}

/** A client that queues nothing refuses what comes before. */
async function untilReady(client: CountingClient): Promise<void> {
  if (client.status !== 'ready') await once(client, 'ready');
}
