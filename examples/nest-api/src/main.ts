import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dashboardMessage, OutageLog, startErrorMessage, startMessage, waitForStore } from '@sluice/example-shared';
import { memoryStore, subscribe, type Duration } from '@sluice/nestjs';
import { redisStore } from '@sluice/redis';
import { platforms } from './app.js';
import { serveDashboard } from './dashboard.js';
import { serveMetrics } from './metrics.js';

// PORT is the port to listen on. Processes with the same REDIS_URL share all limits.
// REDIS_DEADLINE is how long a request waits for Redis before this process decides alone.
const port = process.env['PORT'] || '3000';
const url = process.env['REDIS_URL'] || undefined;
const hasDashboard = process.env['DASHBOARD'] === '1';
const deadline = (process.env['REDIS_DEADLINE'] || '50ms') as Duration;
// METRICS=1 serves metrics on /metrics.
// DASHBOARD=1 serves a live page of the limits on /sluice.
// PLATFORM is the platform of Nest: express or fastify.
const platform = process.env['PLATFORM'] || 'express';

try {
  await start();
} catch (error) {
  console.error(startErrorMessage(error, port));
  process.exitCode = 1;
}

async function start(): Promise<void> {
  if (platform !== 'express' && platform !== 'fastify') {
    throw new Error(`PLATFORM must be express or fastify, got ${platform}.`);
  }
  const store = url ? redisStore({ url }, { deadline }) : memoryStore();
  const app = await platforms[platform](store);
  if (process.env['METRICS'] === '1') serveMetrics(app, store);
  const dashboard = hasDashboard ? await serveDashboard(app, store, url !== undefined) : undefined;
  const close = async () => {
    // An open page is a connection that the server would wait for.
    dashboard?.close();
    await app.close();
    await store.close();
  };
  const log = logOutages();
  try {
    await waitForStore(store).catch((error: Error) => log.away(error));
    await app.listen(Number(port));
  } catch (error) {
    await close();
    throw error;
  }

  const server = app.getHttpServer() as Server;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      // Answers the requests in flight. Closes a busy connection right after its answer, not after its idle timeout.
      server.keepAliveTimeout = 1;
      void close();
    });
  }

  const { port: listening } = server.address() as AddressInfo;
  if (dashboard) console.log(dashboardMessage(listening, dashboard.token));
  console.log(startMessage(listening, url));
}

/** Logs when this process starts to decide without Redis, and when it stops to. */
function logOutages(): OutageLog {
  const log = new OutageLog();
  subscribe('sluice:degraded', (event) => log.away(event));
  subscribe('sluice:store-call', ({ outcome }) => {
    if (outcome === 'answered') log.back();
  });
  return log;
}
