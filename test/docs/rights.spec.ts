import { Redis } from 'ioredis';
import { createLimiter } from '../../packages/core/src/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { acl } from '../security/redis/acl.js';
import { patient } from '../support/patient.js';
import { startRedis } from '../support/redis.js';
import { page } from './pages.js';

const { text } = page('docs/guide/redis.md');

describe('docs/guide/redis.md', () => {
  it('has the ACL users that the specs use', () => {
    const users = [...text.matchAll(/^ACL SETUSER .+$/gm)].map(([line]) => line);

    expect(users).toEqual([acl.server, acl.cluster.replace(acl.server, 'ACL SETUSER ratelimit'), acl.sentinel]);
  });

  it('shows the key that a limiter stores', async () => {
    const [, key] = /^(rl:\{.+)$/m.exec(text) ?? [];
    const server = await startRedis();
    const admin = new Redis(server.port);
    const store = redisStore({ url: server.url }, patient);
    const tier = { name: 'ip-minute', key: () => '203.0.113.7', limit: 100, window: '1m' } as const;

    await createLimiter({ store, tiers: [tier] }).consume({});
    const keys = await admin.keys('rl:*');

    admin.disconnect();
    await store.close();
    await server.stop();
    expect(keys).toContain(key);
  });
});
