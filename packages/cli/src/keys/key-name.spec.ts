import { createLimiter, memoryStore, limitersOf } from '@sluice/core';
import { parseKey } from './key-name.js';

const digest = 'h_tHdlBEhrTvc25VMm8vk-';
const other = digest.toUpperCase();
const own = { digest, isPartitioned: false };
const inner = { digest: other, isPartitioned: true };

describe('parseKey', () => {
  it.each([
    [`rl:{${digest}}:ip-minute:sws-g`, { prefix: 'rl', tier: 'ip-minute', shape: 'sws-g', isRecord: false, ...own }],
    [
      `rl:{${digest}}:ip-minute:sws-g:notes`,
      { prefix: 'rl', tier: 'ip-minute', shape: 'sws-g', isRecord: true, ...own },
    ],
    [`rl:{${digest}}:${other}:team:fwabc`, { prefix: 'rl', tier: 'team', shape: 'fwabc', isRecord: false, ...inner }],
    [`rl:{${digest}}:GET /a:b:fwabc`, { prefix: 'rl', tier: 'GET /a:b', shape: 'fwabc', isRecord: false, ...own }],
    [`my:app:{${digest}}:team:fwabc`, { prefix: 'my:app', tier: 'team', shape: 'fwabc', isRecord: false, ...own }],
    [`rl:{${digest}}:probe`, 'tool'],
    ['rl:{~fleet}:watched', 'tool'],
    ['rl:{probe}:probe', 'tool'],
    ['rl:{blocked}:list', 'tool'],
    ['rl:{blocked}:list-log', 'tool'],
    ['rl:foo', undefined],
    [`rl:{short}:team:fwabc`, undefined],
    [`rl:{${digest}}:fwabc`, undefined],
    [`other:{${digest}}:team:fwabc`, undefined],
  ])('reads %j', (key, expected) => {
    expect(parseKey(key, ['rl', 'my:app'])).toEqual(expected);
  });

  it('reads the keys that limiters make', async () => {
    const store = memoryStore();
    const limiter = createLimiter({
      store,
      name: 'user:hour',
      key: () => 'ada',
      partition: () => 'team',
      limit: 1,
      window: '1h',
    });
    const [inspection] = await limitersOf(store)[0]!.of('ada', { partition: 'team' }).inspect();

    expect(limiter).toBeDefined();
    expect(parseKey(inspection!.key, ['rl'])).toMatchObject({ tier: 'user:hour', isRecord: false });
  });
});
