import { createLimiter, type Decision, memoryStore, type Store, subscribe, type Tier } from '@sluice/core';
import { line, lineEvent, type LineEvent } from '@sluice/overload/line';
import { withRedisStore } from '../support/redis-store.js';
import { newTag } from '../support/claim.js';

interface Worker {
  readonly worker: string;
}

const WORKERS = ['one', 'two', 'three', 'one', 'four', 'five', 'two'];
const isDenied = ({ allowed }: Decision) => !allowed;

describe('The event of a line', () => {
  const redis = withRedisStore();

  it.each([
    ['one after the other', false],
    ['in one batch', true],
  ])('says the same in Redis as in memory, and what clients are told, %s', async (_name, together) => {
    const ofMemory = await eventsOf(memoryStore(), together);
    const ofRedis = await eventsOf(redis.store, together);

    const inSeconds = (events: readonly LineEvent[]) =>
      events.map(({ told, came, beganAgain }) => [Math.round(told / 1e3), came, beganAgain]);
    expect(inSeconds(ofRedis.heard)).toEqual(inSeconds(ofMemory.heard));
    expect(inSeconds(ofRedis.heard)).toEqual([
      [60, undefined, false],
      [120, undefined, false],
      [180, undefined, false],
      [60, 'early', false],
      [60, undefined, true],
      [120, undefined, false],
      [120, 'early', false],
    ]);
    for (const { heard, told } of [ofMemory, ofRedis]) expect(heard.map((event) => event.told)).toEqual(told);
  });

  /** A bucket that refills one unit a minute, so that a slow machine is told the same. */
  async function eventsOf(store: Store, together: boolean) {
    const tier = { name: newTag(), key: () => 'all', algorithm: 'token-bucket', limit: 10, window: '10m', burst: 10 };
    const by = ({ worker }: Worker) => worker;
    const tiers = [{ ...tier, line: line<Worker>({ longest: '3m', by }) }] as unknown as Tier<Worker>[];
    const limiter = createLimiter<Worker>({ store, tiers });
    await limiter.consume({ worker: 'zero' }, { cost: 10 });
    const heard: LineEvent[] = [];
    const end = subscribe(lineEvent, (event) => void heard.push(event));
    const decisions: Decision[] = [];
    if (together) decisions.push(...(await Promise.all(WORKERS.map((worker) => limiter.consume({ worker })))));
    else for (const worker of WORKERS) decisions.push(await limiter.consume({ worker }));
    end();
    return { heard, told: decisions.filter(isDenied).map(({ retryAfter }) => retryAfter) };
  }
});
