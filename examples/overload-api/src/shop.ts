import { rateLimit } from '@sluice/express';
import { shedder, type Priority } from '@sluice/overload';
import { deadline, isOverloadError, queueDelay } from '@sluice/overload/queues';
import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import type { Pool } from 'pg';

export const SCHEMA = `CREATE TABLE IF NOT EXISTS orders (id bigserial PRIMARY KEY, product text NOT NULL)`;

/** A shop that takes orders as long as it can, and makes reports when it has time. */
export function createShop(connections: Pool): Express {
  const database = queueDelay('database');
  // All queries of the shop stand in this queue, critical ones first.
  const pool = database.watch(connections);
  const shed = shedder<Request>({
    // Reports are refused before anything is done for them, while the database is behind.
    priority: (request) => ({ is: priorityOf(request), needs: request.path === '/reports' ? [database] : [] }),
    // Browsers show an error after five seconds. Nobody waits for what comes later.
    features: [database, deadline('5s')],
  });
  const app = express();
  app.use(rateLimit({ limit: 6_000, window: '1m', shed }), express.json());

  app.get('/health', (_request, response) => void response.send('fine'));
  app.post('/orders', async ({ body }: Request<unknown, unknown, { product?: unknown } | undefined>, response) => {
    const product = body?.product;
    if (typeof product !== 'string') {
      response.status(400).json({ error: 'write { "product": "tea" }' });
      return;
    }
    const { rows } = await pool.query<{ id: string }>('INSERT INTO orders (product) VALUES ($1) RETURNING id', [
      product,
    ]);
    response.status(201).json(rows[0]);
  });
  app.get('/products/:product', async ({ params }, response) => {
    const { rows } = await pool.query('SELECT count(*)::int AS sold FROM orders WHERE product = $1', [params.product]);
    response.json(rows[0]);
  });
  app.get('/reports', async (_request, response) => {
    // A query that takes long, as reports do.
    const { rows } = await pool.query(
      'SELECT product, count(*)::int AS sold FROM orders, pg_sleep(0.3) GROUP BY product ORDER BY sold DESC LIMIT 10',
    );
    response.json(rows);
  });
  app.use(answerOverload);
  return app;
}

/** Orders are what the shop lives by. */
function priorityOf({ path, method }: Request): Priority {
  if (path === '/reports') return 'sheddable';
  return path === '/orders' && method === 'POST' ? 'critical' : 'normal';
}

/** Express would answer with the status and the header, too: a body of JSON suits an API better. */
const answerOverload: ErrorRequestHandler = (error, _request, response, next) => {
  if (!isOverloadError(error) || response.headersSent) next(error);
  else response.status(error.status).set(error.headers).json({ error: 'The shop is busy: try again in a moment' });
};
