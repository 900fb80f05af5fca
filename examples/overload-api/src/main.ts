import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { createShop, SCHEMA } from './shop.js';

// DATABASE_URL is that of a Postgres: postgres://user:password@localhost:5432/shop
const { PORT: port = '3000', DATABASE_URL: connectionString } = process.env;
if (connectionString === undefined) throw new Error('Set DATABASE_URL to that of a Postgres, and start again');

const pool = new Pool({ connectionString, max: 10 });
// A connection that breaks while nobody uses it.
pool.on('error', ({ message }) => console.error(message));
await pool.query(SCHEMA);

const server = createServer(createShop(pool)).listen(Number(port));
await once(server, 'listening');
const url = `http://localhost:${(server.address() as AddressInfo).port}`;
console.log(`\
Listening on ${url}, with ten connections. Fill them with reports, and order meanwhile:
  for n in $(seq 100); do curl -s -o /dev/null -w '%{http_code} ' ${url}/reports & done
  curl -i ${url}/orders -H 'content-type: application/json' -d '{"product":"tea"}'
Stop it with Ctrl-C.`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close(() => void pool.end()).closeIdleConnections();
  });
}
