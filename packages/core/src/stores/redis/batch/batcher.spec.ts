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

describe('Batcher', () => {
  it('sends a lone check immediately', () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(1);

    expect(sizes()).toEqual([1]);
  });

  it('sends the other checks of a turn together at its end', async () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(1 + 8);
    const atOnce = sizes();
    await turn();

    expect(atOnce).toEqual([1]);
    expect(sizes()).toEqual([1, 8]);
  });

  it('sends a full batch with any number of checks in flight', () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(1 + 32 + 32 + 5);

    expect(sizes()).toEqual([1, 32, 32]);
  });

  it('collects callers that were just answered in one batch', async () => {
    const { enqueue, sizes, answerAll } = batcherWith();
    enqueue(1 + 8);
    await turn();
    await answerAll();

    enqueue(7);
    const atOnce = sizes(2);
    await turn();

    expect(atOnce).toEqual([]);
    expect(sizes(2)).toEqual([7]);
  });

  it('sends a check immediately when all callers that were just answered have returned', async () => {
    const { enqueue, sizes, answerAll } = batcherWith();
    enqueue(1);
    await answerAll();

    enqueue(1);

    expect(sizes()).toEqual([1, 1]);
  });

  it('does not wait for callers that were answered a millisecond ago', async () => {
    const { enqueue, sizes, answerAll } = batcherWith();
    enqueue(1 + 8);
    await turn();
    await answerAll();
    await pass(1);

    enqueue(1);

    expect(sizes(2)).toEqual([1]);
  });

  it('sends all batches of a Cluster at the end of the turn', async () => {
    const { enqueue, sizes } = batcherWith({ isCluster: true });

    enqueue(40);
    const atOnce = sizes();
    await turn();
    enqueue(3);
    await turn();

    expect(atOnce).toEqual([1]);
    expect(sizes()).toEqual(Array.from({ length: 40 + 3 }, () => 1));
  });
});
