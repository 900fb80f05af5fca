import { serve } from '@hono/node-server';
import { memoryStore } from '@sluice/hono';
import { redisStore } from '@sluice/redis';
import { createApp } from './app.js';

// PORT is the port to listen on. Processes with the same REDIS_URL share all limits.
const port = Number(process.env['PORT'] || '3000');
const url = process.env['REDIS_URL'] || undefined;

const store = url ? redisStore({ url }) : memoryStore();
const server = serve({ fetch: createApp(store).fetch, port }, ({ port: listening }) => {
  console.log(`Listening on http://localhost:${listening}. Try: curl -i http://localhost:${listening}/search`);
  console.log('Stop with Ctrl-C.');
});

/** Answers the requests in flight, and then closes. */
function stop() {
  server.close(() => void store.close());
  // Streams would stay open.
  setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), 1_000).unref();
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
