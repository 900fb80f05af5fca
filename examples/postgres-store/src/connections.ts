import { StoreError } from '@sluice/core';
import { Pool, type PoolClient, type PoolConfig } from 'pg';

export const DEADLINE = 250;
/** A server that has no connection left starts a process to refuse each attempt. */
const PAUSE = 250;

/** Opens connections as this store needs them. */
export function openPool(options: PoolConfig, deadline = DEADLINE): Pool {
  // Statements that do not wait for each other's answer share a round trip.
  const pool = new Pool({ ...options, connectionTimeoutMillis: deadline, pipeline: true });
  // The call of a lost connection rejects, and the next call opens another. Without listeners the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Gives each call a connection, and ends it in time. */
export class Connections {
  readonly #pool: Pool;
  readonly #isShared: boolean;
  readonly #deadline: number;
  readonly #calls = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  /** Of the last attempt to connect that failed. */
  #failure = { until: 0, cause: undefined as unknown };

  constructor(from: Pool | PoolConfig, deadline: number) {
    this.#isShared = from instanceof Pool;
    this.#pool = from instanceof Pool ? from : openPool(from, deadline);
    this.#deadline = deadline;
  }

  /**
   * Resolves or rejects within the deadline. A call that fails is not sent again, because it may have been counted.
   *
   * @param before what the call waits for
   * @throws StoreError
   */
  async call<T>(work: (client: PoolClient) => Promise<T>, before?: Promise<unknown>): Promise<T> {
    if (this.#closing) throw new StoreError('STORE_CLOSED', 'this store is closed');
    const end = new AbortController();
    const running = this.#run(work, end.signal, before);
    this.#calls.add(running);
    void running.catch(() => undefined).then(() => this.#calls.delete(running));

    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`no answer within ${this.#deadline} ms`);
        end.abort(error);
        reject(error);
      }, this.#deadline);
    });
    try {
      return await Promise.race([running, late]);
    } catch (cause) {
      throw new StoreError('STORE_UNAVAILABLE', 'Postgres could not answer', { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  async #end(): Promise<void> {
    await Promise.allSettled(this.#calls);
    if (!this.#isShared) await this.#pool.end();
  }

  /** For a while after a failure the others fail immediately. A pool whose connections are busy is no failure. */
  async #connect(): Promise<PoolClient> {
    if (performance.now() < this.#failure.until) throw this.#failure.cause;
    try {
      return await this.#pool.connect();
    } catch (cause) {
      const isBusy = this.#pool.totalCount >= this.#pool.options.max;
      if (!isBusy) this.#failure = { until: performance.now() + PAUSE, cause };
      throw cause;
    }
  }

  async #run<T>(
    work: (client: PoolClient) => Promise<T>,
    signal: AbortSignal,
    before: Promise<unknown> | undefined,
  ): Promise<T> {
    await before;
    signal.throwIfAborted();
    const client = await this.#connect();
    if (signal.aborted) client.release();
    signal.throwIfAborted();
    // The server undoes the transaction of a connection that ends.
    const cut = () => client.connection.stream.destroy();
    signal.addEventListener('abort', cut);
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      cut();
      client.release(true);
      throw error;
    } finally {
      signal.removeEventListener('abort', cut);
    }
  }
}
