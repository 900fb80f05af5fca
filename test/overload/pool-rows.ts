import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { startPostgres } from '../postgres/postgres-server.js';
import { fork } from '../support/child.js';
import { Flood, sumOf } from './flood.js';
import type { PoolServerName, PoolServerSetup, PoolState } from './pool-terms.js';
import { PRIORITIES } from './terms.js';

/** Connections, and seconds of a query: 200 queries a second. */
const [MAX, QUERY] = [10, 0.05];
const CAPACITY = MAX / QUERY;

export interface PoolRowOptions {
  readonly loads: readonly number[];
  readonly seconds: number;
  /** Requests in flight of `limit`. */
  readonly limit: number;
}

const percent = (part: number, of: number) => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`);

export const POOL_HEAD = [
  'load',
  'critical',
  'normal',
  'sheddable',
  'of the capacity',
  'refused/s',
  'p99',
  'calm after',
  'free',
];

/** What a server gives whose requests wait for ten connections of a real Postgres, in rows of text. */
export async function poolRows(name: PoolServerName, { loads, seconds, limit }: PoolRowOptions) {
  const postgres = await startPostgres({ max_connections: '40' });
  const setup: PoolServerSetup = { server: name, connection: postgres.connection, max: MAX, query: QUERY, limit };
  const child = fork(join(root, 'test/overload/pool-server.ts'), [JSON.stringify(setup)]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const stateOf = async () => {
    child.send('state');
    const [state] = (await once(child, 'message')) as [PoolState];
    return state;
  };
  const flood = new Flood({ address: { port }, transport: 'tcp', connections: 'kept' });
  const free = new Flood({ address: { port }, transport: 'tcp', connections: 'kept' });
  await flood.answered(1_000);
  const rows: string[][] = [];
  for (const load of loads) {
    let ended = 0;
    let [asked, given] = [0, 0];
    const askFree = async () => {
      asked += 1;
      if ((await free.ask('free/sheddable')) === 200) given += 1;
    };
    const asking = setInterval(() => void askFree(), 20);
    const [, seen] = await flood.send(
      [
        { rate: CAPACITY / 2, lasts: 1_000 },
        { rate: load * CAPACITY, lasts: seconds * 1_000 },
        { rate: CAPACITY / 2, lasts: 3_000, begins: () => (ended = Date.now()) },
      ],
      CAPACITY,
    );
    clearInterval(asking);
    const { level, troubled } = await stateOf();
    rows.push([
      `${load} x`,
      ...PRIORITIES.map((each) => percent(seen!.served[each], seen!.came[each])),
      percent(sumOf(seen!.served), CAPACITY * seconds),
      (sumOf(seen!.refused) / seconds).toFixed(0),
      `${seen!.times.toSorted((one, other) => one - other)[Math.floor(seen!.times.length * 0.99)]?.toFixed(0)} ms`,
      name !== 'queue' ? '–' : level > 0 ? 'not' : `${Math.max(0, troubled - ended)} ms`,
      percent(given, asked),
    ]);
  }
  flood.close();
  free.close();
  child.disconnect();
  await once(child, 'exit');
  await postgres.stop();
  return rows;
}
