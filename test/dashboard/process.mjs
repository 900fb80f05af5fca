// A process of a fleet: a dashboard, and a limiter whose checks are the messages that it gets.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { createDashboard } from '@sluice/dashboard';

/** @type {{ redis: import('@sluice/redis').RedisOptions, limit: number }} */
const { redis, limit } = JSON.parse(process.argv[2] ?? '');
const store = redisStore(redis, { deadline: '5s' });
const limiter = createLimiter({
  store,
  name: 'minute',
  key: (/** @type {{ user: string }} */ { user }) => user,
  label: ({ user }) => `label of ${user}`,
  limit,
  window: '1m',
});
const dashboard = createDashboard({ store, fleet: true, readOnly: false, authorize: true });
const server = createServer(dashboard.handle).listen(0, '127.0.0.1');
await once(server, 'listening');
await store.ready();

/** @param {{ user: string, times: number }} message */
async function check({ user, times }) {
  let denied = 0;
  for (let left = times; left > 0; left -= 1) denied += (await limiter.consume({ user })).allowed ? 0 : 1;
  return { denied };
}

process.on('message', (message) => {
  void check(/** @type {{ user: string, times: number }} */ (message)).then((answer) => process.send?.(answer));
});
process.once('disconnect', () => process.exit());
process.send?.({ port: /** @type {import('node:net').AddressInfo} */ (server.address()).port });
