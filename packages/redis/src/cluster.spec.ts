import { chargingOf, type Claim } from '../../core/src/model/claim.js';
import { claim } from '../../../test/support/claim.js';
import { memoryStore } from '../../core/src/stores/memory/memory-store.js';
import { consumeAcrossTags, type TagCalls } from './cluster.js';

const fixed = (limit: number) => ({ algorithm: 'fixed-window', limit, window: '1h' }) as const;

function scene() {
  const store = memoryStore();
  const wide = claim({ tier: 'wide', policy: fixed(10) });
  const tight = claim({ tier: 'tight', policy: fixed(1) });
  const ban = claim({ tier: 'ban', policy: fixed(2), charge: 'denied' });
  const group = [wide, tight, ban];
  const calls: TagCalls = {
    consume: async (part) => store.consume(part),
    peek: async (part) => store.peek(part),
    refund: async (receipts) => store.refund(receipts),
    record: async () => undefined,
    tell: async () => undefined,
    deadline: 1_000,
  };
  const leftOf = async () => (await store.peek(group)).outcomes.map(({ remaining }) => remaining);
  return { group, calls, leftOf };
}

describe('a ban on a hash tag of its own', () => {
  it('gets a strike for a denial in another tag, and hears of it at once', async () => {
    const { group, calls, leftOf } = scene();
    await consumeAcrossTags(calls, group);
    const before = await leftOf();

    const { outcomes, receipts } = await consumeAcrossTags(calls, group);

    expect(before).toEqual([9, 0, 2]);
    expect(outcomes.map(({ remaining }) => remaining)).toEqual([9, 0, 1]);
    expect(receipts.map(({ tier }) => tier)).toEqual(['ban']);
    expect(await leftOf()).toEqual([9, 0, 1]);
  });

  it('denies the request that starts it', async () => {
    const { group, calls } = scene();
    for (let request = 0; request < 2; request += 1) await consumeAcrossTags(calls, group);

    const { outcomes } = await consumeAcrossTags(calls, group);

    expect(outcomes.map(({ allowed }) => allowed)).toEqual([true, false, false]);
  });

  it('gets no strike from its own denials', async () => {
    const { group, calls, leftOf } = scene();
    for (let request = 0; request < 3; request += 1) await consumeAcrossTags(calls, group);

    const { outcomes } = await consumeAcrossTags(calls, group);

    expect(outcomes.map(({ allowed }) => allowed)).toEqual([true, false, false]);
    expect(await leftOf()).toEqual([9, 0, 0]);
  });

  it('leaves no units of a denied request behind when its strike fails', async () => {
    const { group, calls, leftOf } = scene();
    await consumeAcrossTags(calls, group);
    const isStrike = ([first]: readonly Claim[]) => first!.tier === 'ban' && chargingOf(first!) === 'admitted';
    const failing: TagCalls = {
      ...calls,
      consume: async (part) => (isStrike(part) ? Promise.reject(new Error('gone')) : calls.consume(part)),
    };

    const { outcomes } = await consumeAcrossTags(failing, group);

    expect(outcomes.map(({ allowed }) => allowed)).toEqual([true, false, true]);
    expect(await leftOf()).toEqual([9, 0, 2]);
  });
});

describe('a request that never fits', () => {
  it('charges no other hash tag, so that nothing has to be undone, and gives a ban its strike', async () => {
    const { group, calls, leftOf } = scene();
    const refund = jest.fn<ReturnType<TagCalls['refund']>, Parameters<TagCalls['refund']>>((each) =>
      calls.refund(each),
    );
    const peek = jest.fn<ReturnType<TagCalls['peek']>, Parameters<TagCalls['peek']>>((each) => calls.peek(each));
    const [wide, tight, ban] = group as [Claim, Claim, Claim];

    const { outcomes, receipts } = await consumeAcrossTags({ ...calls, refund, peek }, [
      wide,
      { ...tight, cost: 2 },
      ban,
    ]);

    expect(outcomes.map(({ never, remaining }) => [never, remaining])).toEqual([
      [false, 10],
      [true, 1],
      [false, 1],
    ]);
    expect(receipts.map(({ tier }) => tier)).toEqual(['ban']);
    expect([refund, peek].map((call) => call.mock.calls.length)).toEqual([0, 0]);
    expect(await leftOf()).toEqual([10, 1, 1]);
  });
});
