import { createLimiter, memoryStore } from '../index.js';
import { ConfigError } from '../model/errors.js';
import type { Tier } from './tiers/tier.js';

const key = () => 'ada';
const month = { name: 'month', key, algorithm: 'fixed-window', limit: 10, window: '1d' } as const;
const RULE = "belongs to @sluice/core/quotas, which no file has imported: write import '@sluice/core/quotas'";

const tiers: [option: string, owner: string, tier: Tier<object>][] = [
  ['notices', 'tier "month" (fixed-window)', { ...month, notices: [0.9] }],
  ['usage', 'tier "month" (fixed-window)', { ...month, usage: true }],
  ['algorithm', 'tier "credits"', { name: 'credits', key, algorithm: 'balance', covers: ['month'] }],
];

// No other spec of this file may import the room: a file has a process of its own.
describe('A limiter of a program without @sluice/core/quotas', () => {
  it.each(tiers)('says at the start what %s needs', (option, owner, tier) => {
    const create = () => createLimiter<object>({ store: memoryStore(), tiers: [{ ...month, name: 'day' }, tier] });

    expect(create).toThrow(ConfigError);
    expect(create).toThrow(`${owner}: ${option} ${RULE}`);
  });

  it('takes the same tiers after the import', async () => {
    await import('../quotas/index.js');

    const limiter = createLimiter<object>({ tiers: [{ ...month, notices: [0.9], usage: true }, tiers[2]![2]] });

    expect((await limiter.consume({})).outcomes.map(({ tier }) => tier)).toEqual(['month', 'credits']);
  });
});
