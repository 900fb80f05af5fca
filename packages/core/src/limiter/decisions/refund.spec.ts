import { createLimiter } from '../limiter.js';
import { refund, settle } from './refund.js';

const limiter = () => createLimiter({ key: (ip: string) => ip, limit: 10, window: '1h' });
const left = async (of: ReturnType<typeof limiter>) => (await of.inspect('::1'))[0]!.outcome.remaining;

describe('a decision alone', () => {
  it('is refunded by the limiter that has made it', async () => {
    const [one, other] = [limiter(), limiter()];
    const decision = await one.consume('::1', { cost: 4 });
    await other.consume('::1', { cost: 4 });

    expect(await refund(decision)).toBe(4);
    expect([await left(one), await left(other)]).toEqual([10, 6]);
  });

  it('is settled by the limiter that has made it', async () => {
    const one = limiter();
    const decision = await one.consume('::1', { cost: 4 });

    expect(await settle(decision, 1)).toBe(-3);
    expect(await left(one)).toBe(9);
  });

  it('gives back at most the units that are named', async () => {
    const one = limiter();

    expect(await refund(await one.consume('::1', { cost: 4 }), { default: 3 })).toBe(3);
  });

  it('is none when it was looked at only, or copied', async () => {
    const one = limiter();
    const [peeked, copied] = [await one.peek('::1'), { ...(await one.consume('::1')) }];

    await expect(refund(peeked)).rejects.toMatchObject({ code: 'USAGE_INVALID' });
    await expect(settle(copied, 1)).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  });
});
