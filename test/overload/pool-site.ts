import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { root } from '../../scripts/root.mjs';
import { startPostgres } from '../postgres/postgres-server.js';
import { fork } from '../support/child.js';
import { Flood } from './flood.js';
import type { PoolServerName, PoolServerSetup, PoolState } from './pool-terms.js';

/** Connections, and seconds of a query: 200 queries a second. */
export const [MAX, QUERY] = [10, 0.05];
export const CAPACITY = MAX / QUERY;

/** A server whose requests wait for the connections of a real Postgres, and its clients. */
export class PoolSite {
  readonly name: PoolServerName;
  readonly #postgres: Awaited<ReturnType<typeof startPostgres>>;
  readonly #child: ReturnType<typeof fork>;
  readonly flood: Flood;
  readonly free: Flood;

  private constructor(
    name: PoolServerName,
    postgres: Awaited<ReturnType<typeof startPostgres>>,
    child: ReturnType<typeof fork>,
    port: number,
  ) {
    this.name = name;
    this.#postgres = postgres;
    this.#child = child;
    this.flood = new Flood({ address: { port }, transport: 'tcp', connections: 'kept' });
    this.free = new Flood({ address: { port }, transport: 'tcp', connections: 'kept' });
  }

  /** @param limit requests in flight of the server `limit` */
  static async start(name: PoolServerName, limit: number): Promise<PoolSite> {
    const postgres = await startPostgres({ max_connections: '40' });
    const setup: PoolServerSetup = { server: name, connection: postgres.connection, max: MAX, query: QUERY, limit };
    const child = fork(join(root, 'test/overload/pool-server.ts'), [JSON.stringify(setup)]);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const site = new PoolSite(name, postgres, child, port);
    await site.flood.answered(1_000);
    return site;
  }

  async state(): Promise<PoolState> {
    this.#child.send('state');
    const [state] = (await once(this.#child, 'message')) as [PoolState];
    return state;
  }

  /** Sends a signal to the processes of Postgres that serve the pool. @returns sends it another one */
  async signalBackends(signal: NodeJS.Signals): Promise<(signal: NodeJS.Signals) => void> {
    const client = new Client(this.#postgres.connection);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    await client.end();
    const send = (each: NodeJS.Signals) => {
      for (const { pid } of rows) process.kill(pid, each);
    };
    send(signal);
    return send;
  }

  async stop(): Promise<void> {
    this.flood.close();
    this.free.close();
    this.#child.disconnect();
    await once(this.#child, 'exit');
    await this.#postgres.stop();
  }
}

/** NaN for none. */
export function quantileOf(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
