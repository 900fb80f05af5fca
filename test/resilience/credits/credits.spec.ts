import { redisStore } from '../../../packages/redis/src/index.js';
import { patient } from '../../support/patient.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { restart } from '../../support/restart.js';
import { untilAnswered } from '../../support/until.js';
import { wireTo, type Wire } from '../../support/wire.js';
import { ada, CREDIT, CreditJournal, INCLUDED, limiterOn } from './credit-journal.js';
import { creditsOf } from '@sluice/quotas';

/** Every write is on disk before its reply. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

function limiterAt(port: number, options: object) {
  const store = redisStore({ url: `redis://127.0.0.1:${port}` }, options);
  return { limiter: limiterOn(store), close: async () => store.close() };
}

describe('Credits on a Redis that fails', () => {
  let server: RedisServer;
  let wire: Wire;

  beforeEach(async () => {
    server = await startRedis({ args: durable });
    wire = await wireTo(server);
  });

  afterEach(async () => {
    await wire.close();
    await server.stop();
  });

  const faults: Readonly<Record<string, () => Promise<unknown>>> = {
    'its replies are lost': async () => wire.swallowReplies(),
    'a reply is torn': async () => wire.tearReplies(),
    'it is killed, and starts again': () => restart(server),
  };

  it.each(Object.entries(faults))('lose and invent no unit when %s', async (_what, fault) => {
    const { limiter, close } = limiterAt(wire.port, { deadline: '500ms' });
    const { limiter: observer, close: closeObserver } = limiterAt(server.port, patient);
    const journal = new CreditJournal();
    const request = async () => journal.add(limiter, await limiter.consume(ada));
    const isBack = async () => (await limiter.peek(ada)).reason !== 'unavailable';

    for (let round = 0; round < 4; round += 1) {
      await untilAnswered(isBack);
      await Promise.all(Array.from({ length: 12 }, request));
      const requests = Array.from({ length: 12 }, request);
      // Repeated until an answer comes, by one id.
      const credited = untilAnswered(() => creditsOf(limiter).credit(ada, CREDIT, { id: `invoice ${round}` }));
      await fault();
      await Promise.all(requests);
      wire.cut();
      await credited;
    }
    const excess = await untilAnswered(() => journal.excess(observer, 4 * CREDIT));
    await Promise.all([close(), closeObserver()]);

    const { charged, unknown } = journal;
    expect(excess).toBeGreaterThanOrEqual(-unknown.refunds);
    expect(excess).toBeLessThanOrEqual(unknown.charges);
    expect(charged).toBeGreaterThan(INCLUDED / 2);
  });
});
