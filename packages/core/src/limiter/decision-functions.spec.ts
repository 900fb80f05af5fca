import { createLimiter } from './limiter.js';
import { refund, settle } from './decision-functions.js';

const limiter = () => createLimiter({ key: (ip: string) => ip, limit: 10, window: '1h' });
const remaining = async (of: ReturnType<typeof limiter>) => (await of.inspect('::1'))[0]!.outcome.remaining;

describe('refund', () => {
  it('refunds a decision by its own limiter', async () => {
    const [one, other] = [limiter(), limiter()];
    const decision = await one.consume('::1', { cost: 4 });
    await other.consume('::1', { cost: 4 });

    expect(await refund(decision)).toBe(4);
    expect([await remaining(one), await remaining(other)]).toEqual([10, 6]);
  });

  it('refunds at most the named units', async () => {
    expect(await refund(await limiter().consume('::1', { cost: 4 }), { default: 3 })).toBe(3);
  });
});

describe('settle', () => {
  it('settles a decision by its own limiter', async () => {
    const one = limiter();
    const decision = await one.consume('::1', { cost: 4 });

    expect(await settle(decision, 1)).toBe(-3);
    expect(await remaining(one)).toBe(9);
  });

  it('rejects a decision of peek, and a copy', async () => {
    const one = limiter();
    const [peeked, copied] = [await one.peek('::1'), { ...(await one.consume('::1')) }];

    await expect(refund(peeked)).rejects.toMatchObject({ code: 'USAGE_INVALID' });
    await expect(settle(copied, 1)).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  });
});
