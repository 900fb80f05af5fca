import { dashboardMessage, OutageLog, startErrorMessage, startMessage, waitForStore } from '@sluice/example-shared';
import { memoryStore, subscribe } from '@sluice/fastify';
import { redisStore } from '@sluice/redis';
import { createApp } from './app.js';
import { serveDashboard } from './dashboard.js';
import { serveMetrics } from './metrics.js';

/** @import { Duration } from '@sluice/fastify' */

// PORT is the port to listen on. Processes with the same REDIS_URL share all limits.
// REDIS_DEADLINE is how long a request waits for Redis before this process decides alone.
// METRICS=1 serves metrics on /metrics.
// DASHBOARD=1 serves a live page of the limits on /sluice.
const port = process.env['PORT'] || '3000';
const url = process.env['REDIS_URL'] || undefined;
const hasDashboard = process.env['DASHBOARD'] === '1';
const deadline = /** @type {Duration} */ (process.env['REDIS_DEADLINE'] || '50ms');

try {
  await start();
} catch (error) {
  console.error(startErrorMessage(error, port));
  process.exitCode = 1;
}

async function start() {
  const store = url ? redisStore({ url }, { deadline }) : memoryStore();
  const app = await createApp(store);
  if (process.env['METRICS'] === '1') serveMetrics(app, store);
  const dashboard = hasDashboard ? await serveDashboard(app, store, url !== undefined) : undefined;
  app.addHook('onClose', () => store.close());
  const log = logOutages();
  try {
    await waitForStore(store).catch((error) => log.away(error));
    await app.listen({ port: Number(port) });
  } catch (error) {
    await app.close();
    throw error;
  }

  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop(app));

  const { port: listening } = /** @type {import('node:net').AddressInfo} */ (app.server.address());
  if (dashboard) console.log(dashboardMessage(listening, dashboard.token));
  console.log(startMessage(listening, url));
}

/** Logs when this process starts to decide without Redis, and when it stops to. */
function logOutages() {
  const log = new OutageLog();
  subscribe('sluice:degraded', (event) => log.away(event));
  subscribe('sluice:store-call', ({ outcome }) => {
    if (outcome === 'answered') log.back();
  });
  return log;
}

/**
 * Answers the requests in flight, and then closes.
 *
 * @param {import('fastify').FastifyInstance} app
 */
async function stop(app) {
  // Closes a busy connection right after its answer, not after an idle minute.
  app.server.keepAliveTimeout = 1;
  await app.close();
}
