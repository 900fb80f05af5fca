import { createLimiter, type Decision, type Limiter } from '../../packages/core/src/index.js';
import { redisStore } from '../../packages/core/src/redis/index.js';
import { patient } from '../support/patient.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { restart } from '../support/restart.js';
import { untilAnswered } from '../support/until.js';
import { wireTo, type Wire } from '../support/wire.js';

interface Caller {
  readonly user: string;
}

const INCLUDED = 60;
const CREDIT = 40;
const ada = { user: 'ada' };

/** Every write is on disk before its reply. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

function limiterAt(port: number, options: object): { limiter: Limiter<Caller>; close: () => Promise<void> } {
  const store = redisStore({ url: `redis://127.0.0.1:${port}` }, options);
  const key = ({ user }: Caller) => user;
  const limiter = createLimiter<Caller>({
    store,
    onStoreFailure: 'deny',
    tiers: [
      { name: 'month', key, algorithm: 'fixed-window', limit: INCLUDED, window: '1d' },
      { name: 'credits', key, algorithm: 'balance', covers: ['month'], onStoreFailure: 'deny' },
    ],
  });
  return { limiter, close: async () => store.close() };
}

/** What a process knows of its requests. */
class Journal {
  charged = 0;
  refunded = 0;
  /** Units that Redis may have charged or given back, although no answer came. */
  readonly unknown = { charges: 0, refunds: 0 };

  async add(limiter: Limiter<Caller>, decision: Decision): Promise<void> {
    if (decision.reason === 'unavailable') this.unknown.charges += 1;
    if (!decision.allowed) return;
    this.charged += 1;
    if (this.charged % 5 > 0) return;
    const given = await limiter.refund(decision);
    this.refunded += given;
    this.unknown.refunds += 1 - given;
  }
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
    const journal = new Journal();
    const request = async () => journal.add(limiter, await limiter.consume(ada));
    const isBack = async () => (await limiter.peek(ada)).reason !== 'unavailable';

    for (let round = 0; round < 4; round += 1) {
      await untilAnswered(isBack);
      await Promise.all(Array.from({ length: 12 }, request));
      const requests = Array.from({ length: 12 }, request);
      // Repeated until an answer comes, by one id.
      const credited = untilAnswered(() => limiter.credit(ada, CREDIT, { id: `invoice ${round}` }));
      await fault();
      await Promise.all(requests);
      wire.cut();
      await credited;
    }
    await untilAnswered(() => observer.inspect(ada));
    const [month, credits] = await observer.inspect(ada);
    await Promise.all([close(), closeObserver()]);

    const used = INCLUDED - month!.outcome.remaining + (4 * CREDIT - credits!.outcome.remaining);
    const { charged, refunded, unknown } = journal;
    expect(used - (charged - refunded)).toBeGreaterThanOrEqual(-unknown.refunds);
    expect(used - (charged - refunded)).toBeLessThanOrEqual(unknown.charges);
    expect(charged).toBeGreaterThan(INCLUDED / 2);
  });
});
