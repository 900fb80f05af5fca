import { ClientByHand } from '../../../../../test/redis/client-by-hand.js';
import { claim } from '../../../../../test/redis/claims.js';
import { CheckQueue } from './check-queue.js';
import { Deadline } from './deadline.js';
import { RedisLink } from './redis-link.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function queue(isCluster = false, deadline = 50) {
  const client = new ClientByHand();
  const asked = new CheckQueue(new RedisLink(client, new Deadline(deadline)), isCluster);
  const ask = (checks: number) => {
    for (let check = 0; check < checks; check += 1) asked.ask([claim()], false).catch(() => undefined);
  };
  const sizes = () => client.sent.map(({ keys }) => keys.length);
  const answer = async (call: number) => {
    client.sent[call]!.reply([0, ...client.sent[call]!.keys.map(() => 0)]);
    await turn();
  };
  return { ask, sizes, answer };
}

const turn = () => jest.advanceTimersByTimeAsync(0);

/** A check alone, a few, and a whole call. */
const MANY = 1 + 4 + 5 + 32;

describe('checks that are asked while', () => {
  it('nothing is under way go out at once', () => {
    const { ask, sizes } = queue();

    ask(1);

    expect(sizes()).toEqual([1]);
  });

  it('few are under way go out when they are as many, and at the end of the turn', async () => {
    const { ask, sizes } = queue();

    ask(1 + 3);
    await turn();
    ask(4 + 4);
    await turn();

    expect(sizes()).toEqual([1, 3, 4, 4]);
  });

  it('less than a whole call is under way go out at the end of the turn', async () => {
    const { ask, sizes } = queue();

    ask(1 + 4 + 5 + 20);
    await turn();
    ask(1);
    await turn();

    expect(sizes()).toEqual([1, 4, 5, 20, 1]);
  });

  it('a whole call is under way wait to be one as well', async () => {
    const { ask, sizes } = queue();

    ask(MANY + 30);
    await turn();
    ask(1);
    await turn();
    expect(sizes()).toEqual([1, 4, 5, 32]);

    ask(1);
    expect(sizes()).toEqual([1, 4, 5, 32, 32]);
  });

  it('a whole call is under way wait until that is answered', async () => {
    const { ask, sizes, answer } = queue();
    ask(MANY + 3);
    await turn();

    await answer(0);
    await answer(2);
    expect(sizes()).toEqual([1, 4, 5, 32]);
    await answer(3);

    expect(sizes()).toEqual([1, 4, 5, 32, 3]);
  });

  it('a whole call is under way wait for 2 ms at most', async () => {
    const { ask, sizes } = queue();
    ask(MANY + 3);
    await turn();

    await jest.advanceTimersByTimeAsync(1);
    expect(sizes()).toEqual([1, 4, 5, 32]);
    await jest.advanceTimersByTimeAsync(1);

    expect(sizes()).toEqual([1, 4, 5, 32, 3]);
  });

  it('a whole call is under way wait for a 25th of the deadline at most', async () => {
    const { ask, sizes } = queue(false, 25);
    ask(MANY + 3);
    await turn();

    await jest.advanceTimersByTimeAsync(1);

    expect(sizes()).toEqual([1, 4, 5, 32, 3]);
  });

  it('a whole call is under way wait anew after each call', async () => {
    const { ask, sizes } = queue();
    ask(MANY + 3);
    await turn();
    await jest.advanceTimersByTimeAsync(1);
    ask(29 + 3);
    await turn();

    await jest.advanceTimersByTimeAsync(1);
    expect(sizes()).toEqual([1, 4, 5, 32, 32]);
    await jest.advanceTimersByTimeAsync(1);

    expect(sizes()).toEqual([1, 4, 5, 32, 32, 3]);
  });

  it('nothing is under way, but many were answered just now, go out together', async () => {
    const { ask, sizes, answer } = queue();
    ask(MANY);
    for (const call of [0, 1, 2, 3]) await answer(call);

    ask(12);
    expect(sizes()).toEqual([1, 4, 5, 32]);
    await turn();

    expect(sizes()).toEqual([1, 4, 5, 32, 12]);
  });

  it.each([
    { which: 'a few', asked: 3, atOnce: [], atEnd: [3] },
    { which: 'halves of as many', asked: 10, atOnce: [5, 5], atEnd: [] },
  ])('nothing is under way, but ten were answered just now, go out together: $which', async (next) => {
    const { ask, sizes, answer } = queue();
    ask(1 + 4 + 5);
    await turn();
    for (const call of [2, 1, 0]) await answer(call);

    ask(next.asked);
    expect(sizes().slice(3)).toEqual(next.atOnce);
    await turn();

    expect(sizes().slice(3)).toEqual([...next.atOnce, ...next.atEnd]);
  });

  it('nothing is under way, and many were answered a while ago, go out at once', async () => {
    const { ask, sizes, answer } = queue();
    ask(MANY);
    for (const call of [0, 1, 2, 3]) await answer(call);
    await jest.advanceTimersByTimeAsync(1);

    ask(1);

    expect(sizes()).toEqual([1, 4, 5, 32, 1]);
  });

  it('nothing is under way, and few were answered just now, go out at once', async () => {
    const { ask, sizes, answer } = queue();
    ask(1 + 4);
    await turn();
    for (const call of [0, 1]) await answer(call);

    ask(1);

    expect(sizes()).toEqual([1, 4, 1]);
  });

  it('much is under way on a Cluster go out at the end of the turn', async () => {
    const { ask, sizes } = queue(true);

    ask(MANY);
    await turn();
    ask(3);
    await turn();

    expect(sizes()).toEqual(Array.from({ length: MANY + 3 }, () => 1));
  });
});
