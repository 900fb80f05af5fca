import { claim } from '../../../../../../test/support/claim.js';
import { ManualClient } from '../../../../../../test/support/manual-client.js';
import { manualConnection } from '../../../../../../test/support/manual-connection.js';
import { Batcher } from './batcher.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function batcherWith({ isCluster = false, deadline = 50 } = {}) {
  const { client, connection } = manualConnection(Object.assign(new ManualClient(), { isCluster }), deadline);
  const batcher = new Batcher(connection);
  const enqueue = (checks: number) => {
    for (let check = 0; check < checks; check += 1) batcher.enqueue([claim()], 'consume').catch(() => undefined);
  };
  const answer = async (batch: number) => {
    client.sent[batch]!.reply([0, ...client.sent[batch]!.keys.map(() => 0)]);
    await turn();
  };
  const answerAll = async () => {
    for (const batch of client.sent.keys()) await answer(batch);
  };
  /** Sizes of the batches that were sent, after the first few. */
  const sizes = (after = 0) => client.sent.map(({ keys }) => keys.length).slice(after);
  return { enqueue, answer, answerAll, sizes };
}

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
const turn = () => pass(0);

/** The batches of many checks of one turn: each holds a quarter of the active checks. */
const BURST = [1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 9];
/** More checks than a full batch. */
const MANY = BURST.reduce((sum, size) => sum + size, 0);

describe('Batcher', () => {
  it('sends a lone check immediately', () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(1);

    expect(sizes()).toEqual([1]);
  });

  it('sends a batch when it holds a quarter of the active checks, or at the end of the turn', async () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(MANY - 1);
    const atOnce = sizes();
    await turn();

    expect(atOnce).toEqual(BURST.slice(0, -1));
    expect(sizes()).toEqual([...atOnce, 8]);
  });

  it('sends a full batch with any number of checks in flight', () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(MANY + 12 + 16 + 22 + 29 + 32 + 32);

    expect(sizes()).toEqual([...BURST, 12, 16, 22, 29, 32, 32]);
  });

  it.each([
    { which: 'few of them', returning: 8, atOnce: [], atEnd: [8] },
    { which: 'all of them', returning: MANY, atOnce: [9, 9, 9, 9], atEnd: [] },
    { which: 'more than them', returning: MANY + 5, atOnce: [9, 9, 9, 9], atEnd: [5] },
  ])('counts callers that were just answered as active: $which return', async ({ returning, atOnce, atEnd }) => {
    const { enqueue, sizes, answerAll } = batcherWith();
    enqueue(MANY);
    await answerAll();

    enqueue(returning);
    const first = sizes(BURST.length);
    await turn();

    expect(first).toEqual(atOnce);
    expect(sizes(BURST.length)).toEqual([...atOnce, ...atEnd]);
  });

  it('adds callers that were just answered to the checks in flight', async () => {
    const { enqueue, sizes, answer } = batcherWith();
    enqueue(MANY);
    await answer(BURST.length - 1);
    await answer(BURST.length - 2);

    enqueue(9 + 7);

    expect(sizes(BURST.length)).toEqual([9]);
  });

  it('does not count callers that were answered a millisecond ago', async () => {
    const { enqueue, sizes, answer, answerAll } = batcherWith();
    enqueue(MANY);
    await answerAll();
    await pass(1);

    enqueue(1);
    await answer(BURST.length);
    enqueue(1);

    expect(sizes(BURST.length)).toEqual([1, 1]);
  });

  it('sends a lone check immediately after few were answered', async () => {
    const { enqueue, sizes, answerAll } = batcherWith();
    enqueue(4);
    await answerAll();

    enqueue(1);

    expect(sizes()).toEqual([1, 1, 1, 1, 1]);
  });

  it('sends all batches of a Cluster at the end of the turn', async () => {
    const { enqueue, sizes } = batcherWith({ isCluster: true });

    enqueue(MANY);
    const atOnce = sizes();
    await turn();
    enqueue(3);
    await turn();

    expect(atOnce).toEqual([1]);
    expect(sizes()).toEqual(Array.from({ length: MANY + 3 }, () => 1));
  });
});
