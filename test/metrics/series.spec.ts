import { createLimiter, memoryStore, tracksOf, type Decision, type Limiter, type Tier } from '@sluice/core';
import { exposeMetrics } from '@sluice/prometheus';
import { Registry } from 'prom-client';
import { MARK, texts, TRICKY } from '../security/requests/samples.js';
import { withRedisStore } from '../support/redis-store.js';

const TIERS = 32;

interface Visitor {
  readonly name: string;
}

const tiers = Array.from({ length: TIERS }, (_, index): Tier<Visitor> => ({
  name: `tier-${index}`,
  key: ({ name }) => name,
  limit: 5,
  window: `${TIERS - index}h`,
}));

/** The lines of a page that hold a number. */
function seriesOf(page: string): readonly string[] {
  return page.split('\n').filter((line) => line.startsWith('sluice_'));
}

describe('The page of a registry', () => {
  const redis = withRedisStore(({ store }) => store.ready());
  let registry: Registry;
  let stop: () => void;

  beforeEach(() => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    registry = new Registry();
  });

  afterEach(() => {
    stop();
    jest.restoreAllMocks();
  });

  it('has 80 series, 10 for each tier and its buckets, whatever 20 000 identities send', async () => {
    const local = memoryStore();
    stop = exposeMetrics(registry, { stores: { main: redis.store, local } });
    const shared = createLimiter({ store: redis.store, tiers });
    const limiters = tiers.map((tier) => createLimiter({ store: local, ...tier }));
    const nameOf = (line: string) => line.replace(/ \S*$/, '');
    const send = async (from: number, to: number) => {
      for (let client = from; client < to; client += 1) await limiters[client % TIERS]!.consume({ name: `${client}` });
      for (let client = from; client < from + 25; client += 1) {
        await Promise.all(Array.from({ length: 8 }, () => shared.consume({ name: `${client}` })));
      }
    };
    // What a store begins to count with its first late reply or its first cached denial is there by then.
    await send(0, 10_000);
    const half = new Set(seriesOf(await registry.metrics()).map(nameOf));
    await send(10_000, 20_000);

    const series = seriesOf(await registry.metrics());
    const numbers = series.filter((line) => !/_bucket{/.test(line));
    expect(series.map(nameOf).filter((name) => !half.has(name))).toEqual([]);
    expect(numbers.length).toBeLessThanOrEqual(80 + 10 * TIERS);
  });

  it('has no identity, digest, label or recorded text of hostile clients', async () => {
    const local = memoryStore();
    stop = exposeMetrics(registry, { stores: { main: redis.store, local }, top: 5 });
    const limiters = [redis.store, local].map((store) =>
      createLimiter<Visitor>({
        store,
        tiers: [
          { name: 'day', key: ({ name }) => name, record: () => `${MARK} was here`, limit: 3, window: '1d' },
          { name: 'hour', key: ({ name }) => name, label: () => MARK, limit: 2, window: '1h' },
        ],
      }),
    );
    const secrets = new Set([MARK, ...TRICKY, '203.0.113.7', '2001:db8']);
    const consume = async (limiter: Limiter<Visitor>, name: string): Promise<Decision> => limiter.consume({ name });

    for (const name of [...texts, '203.0.113.7', '2001:db8::7'].filter((text) => text !== '')) {
      for (const limiter of limiters) {
        for (let request = 0; request < 4; request += 1) {
          for (const { digest } of tracksOf(await consume(limiter, name))) secrets.add(digest);
        }
      }
    }

    const page = await registry.metrics();
    expect(page).toMatch(
      /sluice_tier_outcomes_total{sluice_tier="hour",sluice_outcome="over",sluice_shadow="false"} \d\d/,
    );
    expect([...secrets].filter((secret) => page.includes(secret))).toEqual([]);
  });
});
