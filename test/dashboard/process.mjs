// A process of a fleet: a dashboard, and a limiter whose checks are the messages that it gets.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createLimiter, redisStore } from '@sluice/core';
import { createDashboard } from '@sluice/dashboard';

const { redis, limit } = JSON.parse(process.argv[2]);
const store = redisStore(redis, { deadline: '5s' });
const limiter = createLimiter({
  store,
  tiers: [{ name: 'minute', key: ({ user }) => user, label: ({ user }) => `label of ${user}`, limit, window: '1m' }],
});
const dashboard = createDashboard({ store, fleet: true, readOnly: false });
const server = createServer(dashboard.handle).listen(0, '127.0.0.1');
await once(server, 'listening');
await store.ready();

process.on('message', async ({ user, times }) => {
  let denied = 0;
  for (let left = times; left > 0; left -= 1) denied += (await limiter.consume({ user })).allowed ? 0 : 1;
  process.send({ denied });
});
process.once('disconnect', () => process.exit());
process.send({ port: server.address().port });
