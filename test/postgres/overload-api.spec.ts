import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import { Pool } from 'pg';
import { createShop, SCHEMA } from '../../examples/overload-api/src/shop.js';
import { closeServer, listen, siteAt, type Site } from '../support/site.js';
import { startPostgres, type PostgresServer } from './postgres-server.js';

let postgres: PostgresServer;
let pool: Pool;
let server: Server;
let site: Site;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.query(SCHEMA);
  pool = new Pool({ ...postgres.connection, max: 1 });
  pool.on('error', () => {});
  server = createServer(createShop(pool));
  site = siteAt(await listen(server), () => closeServer(server));
});

afterAll(async () => {
  await site.close();
  await pool.end();
  await postgres.stop();
});

const order = (product: string) => ({
  method: 'POST',
  path: '/orders',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ product }),
});

async function ordered(product: string): Promise<unknown> {
  const rows = await postgres.query(`SELECT count(*)::int AS sold FROM orders WHERE product = '${product}'`);
  return rows[0]!['sold'];
}

describe('the example overload-api', () => {
  it('takes every order while reports fill the pool, and refuses reports with Retry-After', async () => {
    const reports = Array.from({ length: 12 }, () =>
      site.send({ path: '/reports', headers: { 'x-priority': 'critical' } }),
    );
    const orders = await Promise.all(Array.from({ length: 10 }, () => site.send(order('tea'))));
    const health = await site.send({ path: '/health' });
    const answers = await Promise.all(reports);
    const refused = answers.filter(({ status }) => status === 503);

    expect(orders.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    expect([await ordered('tea'), health.status]).toEqual([10, 200]);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200).length).toBe(12 - refused.length);
    for (const { headers } of refused) expect(headers['retry-after']).toMatch(/^[1-5]$/);
  });

  it('orders nothing for a client that has left before its turn', async () => {
    const { port } = server.address() as { port: number };
    const held = await pool.connect();
    const leaving = request({ port, method: 'POST', path: '/orders', headers: { 'content-type': 'application/json' } });
    leaving.on('error', () => {});
    leaving.end(JSON.stringify({ product: 'coffee' }));
    const [asked] = (await once(server, 'request')) as [
      { socket: { once(event: 'close', listener: () => void): void } },
    ];
    const gone = once(asked.socket as never, 'close');

    // The body has been read, so that the order stands in the queue.
    await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
    leaving.destroy();
    await gone;
    held.release();
    const other = await site.send(order('cake'));

    expect(other.status).toBe(201);
    expect([await ordered('coffee'), await ordered('cake')]).toEqual([0, 1]);
  });

  it('says what an order has to be', async () => {
    const answers = await site.sendEach([
      { ...order('x'), body: '{}' },
      { ...order('x'), body: '[]' },
    ]);

    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });
});
