import { ManualClient } from '../../../testing/internal/manual-client.js';
import { claim } from '../../../testing/internal/claim.js';
import { Batcher } from './batcher.js';
import { Deadline } from '../connection/deadline.js';
import { Connection } from '../connection/connection.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function queue(isCluster = false, deadline = 50) {
  const client = new ManualClient();
  const asked = new Batcher(new Connection(client, new Deadline(deadline)), isCluster);
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

/** The calls of many that are asked in one turn: each holds a fourth of what is in play. All together are more than a whole call. */
const BURST = [1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 9];
const MANY = BURST.reduce((sum, size) => sum + size, 0);

describe('checks that are asked while', () => {
  it('nothing is under way go out at once', () => {
    const { ask, sizes } = queue();

    ask(1);

    expect(sizes()).toEqual([1]);
  });

  it('others are under way go out when they are a fourth of all, and at the end of the turn', async () => {
    const { ask, sizes } = queue();

    ask(MANY - 1);
    expect(sizes()).toEqual(BURST.slice(0, -1));
    await turn();

    expect(sizes()).toEqual([...BURST.slice(0, -1), 8]);
  });

  it('more than three whole calls are under way go out when they are a whole one', () => {
    const { ask, sizes } = queue();

    ask(MANY + 12 + 16 + 22 + 29 + 32 + 32);

    expect(sizes()).toEqual([...BURST, 12, 16, 22, 29, 32, 32]);
  });

  it('as much as a whole call is under way wait to be a fourth of all', async () => {
    const { ask, sizes } = queue();

    ask(MANY + 10);
    await turn();
    ask(1);
    await turn();
    expect(sizes()).toEqual(BURST);

    ask(1);
    expect(sizes()).toEqual([...BURST, 12]);
  });

  it('as much as a whole call is under way wait until it is less', async () => {
    const { ask, sizes, answer } = queue();
    ask(MANY + 3);
    await turn();

    for (const call of [0, 1, 2, 3]) await answer(call);
    expect(sizes()).toEqual(BURST);
    await answer(4);

    expect(sizes()).toEqual([...BURST, 3]);
  });

  it('as much as a whole call is under way wait for 2 ms at most', async () => {
    const { ask, sizes } = queue();
    ask(MANY + 3);
    await turn();

    await jest.advanceTimersByTimeAsync(1);
    expect(sizes()).toEqual(BURST);
    await jest.advanceTimersByTimeAsync(1);

    expect(sizes()).toEqual([...BURST, 3]);
  });

  it('as much as a whole call is under way wait for a 25th of the deadline at most', async () => {
    const { ask, sizes } = queue(false, 25);
    ask(MANY + 3);
    await turn();

    await jest.advanceTimersByTimeAsync(1);

    expect(sizes()).toEqual([...BURST, 3]);
  });

  it('as much as a whole call is under way wait anew after each call', async () => {
    const { ask, sizes } = queue();
    ask(MANY + 3);
    await turn();
    await jest.advanceTimersByTimeAsync(1);
    ask(9 + 3);
    await turn();

    await jest.advanceTimersByTimeAsync(1);
    expect(sizes()).toEqual([...BURST, 12]);
    await jest.advanceTimersByTimeAsync(1);

    expect(sizes()).toEqual([...BURST, 12, 3]);
  });

  it.each([
    { which: 'those of a few', asked: 8, atOnce: [], atEnd: [8] },
    { which: 'those of all', asked: MANY, atOnce: [9, 9, 9, 9], atEnd: [] },
    { which: 'more than those', asked: MANY + 5, atOnce: [9, 9, 9, 9], atEnd: [] },
  ])('many were answered just now go out in fourths of as many: $which', async (next) => {
    const { ask, sizes, answer } = queue();
    ask(MANY);
    for (const call of BURST.keys()) await answer(call);

    ask(next.asked);
    expect(sizes().slice(BURST.length)).toEqual(next.atOnce);
    await turn();

    expect(sizes().slice(BURST.length)).toEqual([...next.atOnce, ...next.atEnd]);
  });

  it('some were answered just now, and others are under way, go out in fourths of all', async () => {
    const { ask, sizes, answer } = queue();
    ask(MANY);
    await answer(BURST.length - 1);
    await answer(BURST.length - 2);

    ask(9 + 7);

    expect(sizes().slice(BURST.length)).toEqual([9]);
  });

  it('many were answered a while ago go out at once', async () => {
    const { ask, sizes, answer } = queue();
    ask(MANY);
    for (const call of BURST.keys()) await answer(call);
    await jest.advanceTimersByTimeAsync(1);

    ask(1);

    expect(sizes()).toEqual([...BURST, 1]);
  });

  it('few were answered just now, and many a while ago, go out at once', async () => {
    const { ask, sizes, answer } = queue();
    ask(MANY);
    for (const call of BURST.keys()) await answer(call);
    await jest.advanceTimersByTimeAsync(1);
    ask(1);
    await answer(BURST.length);

    ask(1);

    expect(sizes()).toEqual([...BURST, 1, 1]);
  });

  it('few were answered just now go out at once', async () => {
    const { ask, sizes, answer } = queue();
    ask(4);
    for (const call of [0, 1, 2, 3]) await answer(call);

    ask(1);

    expect(sizes()).toEqual([1, 1, 1, 1, 1]);
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
