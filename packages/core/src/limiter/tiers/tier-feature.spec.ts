import { createLimiter, memoryStore } from '../../index.js';
import { ConfigError } from '../../model/errors.js';
import { balance, notices, usage } from '../../../../quotas/src/index.js';
import type { Tier } from './tier.js';

const key = () => 'ada';
const month = { name: 'month', key, algorithm: 'fixed-window', limit: 10, window: '1d' } as const;
const from = "'@sluice/quotas'";

describe('createLimiter, of options whose values a program imports', () => {
  it.each<[option: string, message: string, tier: object]>([
    [
      'notices',
      `tier "month" (fixed-window): notices must be what notices() returns: import { notices } from ${from}, and write notices: notices(0.75, 0.9), got an array of 1`,
      { ...month, notices: [0.9] },
    ],
    [
      'usage',
      `tier "month" (fixed-window): usage must be what usage() returns: import { usage } from ${from}, and write usage: usage(), got true`,
      { ...month, usage: true },
    ],
    [
      'algorithm',
      `tier "credits": algorithm is no text for a balance: import { balance } from ${from}, and write algorithm: balance({ covers: ['month'] }), got "balance"`,
      { name: 'credits', key, algorithm: 'balance', covers: ['month'] },
    ],
    [
      'fair',
      `tier "workers" (concurrency): fair must be what fairBy() returns: import { fairBy } from '@sluice/overload/fair', and write fair: fairBy(({ tenant }) => tenant), got an object`,
      { name: 'workers', key, algorithm: 'concurrency', limit: 2, fair: { by: () => 'ada' } },
    ],
  ])('says of a text as %s what to import and write', (option, message, tier) => {
    const create = () =>
      createLimiter<object>({ store: memoryStore(), tiers: [{ ...month, name: 'day' }, tier as Tier<object>] });

    expect(create).toThrow(
      expect.objectContaining({ name: ConfigError.name, code: 'OPTION_INVALID', option, message }),
    );
  });

  it('does once what two tiers have values for', async () => {
    const heard: string[] = [];
    const store = memoryStore();
    const limiter = createLimiter<object>({
      store,
      onNotice: ({ tier, mark }) => heard.push(`${tier} ${mark}`),
      tiers: [
        { ...month, notices: notices(0.1), usage: usage() },
        { ...month, name: 'quarter', window: '90d', notices: notices(0.2), usage: usage() },
        { name: 'credits', key, algorithm: balance({ covers: ['month'] }) },
      ],
    });

    await limiter.consume({}, { cost: 2 });

    expect(heard.toSorted()).toEqual(['month 0.1', 'quarter 0.2']);
  });
});
