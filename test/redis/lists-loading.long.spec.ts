import { createLimiter, subscribe } from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { patient } from '../support/patient.js';
import { startRedis } from '../support/redis.js';
import { storeLongList } from './long-list.js';

const MANY = 100_000;

// On a machine that does nothing else: a busy one misses the default deadline without a list.
describe('a list of 100 000 networks on Redis', () => {
  it('loads at the default settings while checks are answered, and leaves the breaker closed', async () => {
    const server = await startRedis();
    const admin = new Redis(server.port);
    const filling = redisStore({ url: server.url }, patient);
    await storeLongList(admin, filling, MANY);
    await filling.close();
    const breakers: unknown[] = [];
    const end = subscribe('sluice:breaker', (event) => breakers.push(event));
    const store = redisStore({ url: server.url });
    const limiter = createLimiter({ store, name: 'ada', key: () => 'ada', limit: 1_000_000, window: '1h' });
    await store.ready();
    const list = ipList({ name: 'long', store });
    let answered = 0;
    let sent = 0;

    while (!list.isLoaded) {
      sent += 1;
      await Promise.all([limiter.consume({}), new Promise((resolve) => setTimeout(resolve, 5))]);
      answered += 1;
    }
    end();
    const { length } = list.entries();
    list.close();
    await store.close();
    admin.disconnect();
    await server.stop();

    expect([length, answered, breakers]).toEqual([MANY, sent, []]);
  }, 60_000);
});
