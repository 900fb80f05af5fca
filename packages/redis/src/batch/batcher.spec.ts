import { claim } from '../../../../test/support/claim.js';
import { ManualClient } from '../../../../test/support/manual-client.js';
import { manualConnection } from '../../../../test/support/manual-connection.js';
import { Batcher } from './batcher.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function batcherWith({ isCluster = false, deadline = 50 } = {}) {
  const { client, connection } = manualConnection(Object.assign(new ManualClient(), { isCluster }), deadline);
  const batcher = new Batcher(connection);
  const enqueue = (checks: number) => {
    for (let check = 0; check < checks; check += 1) batcher.consume([claim()]).catch(() => undefined);
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

/** The batches of many checks of one turn: each is as large as all before it. */
const BURST = [1, 1, 2, 4, 8, 16];
const MANY = BURST.reduce((sum, size) => sum + size, 0);

describe('Batcher', () => {
  it('sends a lone check immediately', () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(1);

    expect(sizes()).toEqual([1]);
  });

  it('sends a batch when it holds as many checks as are in flight, or at the end of the turn', async () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(MANY - 1);
    const atOnce = sizes();
    await turn();

    expect(atOnce).toEqual(BURST.slice(0, -1));
    expect(sizes()).toEqual([...atOnce, 15]);
  });

  it('sends a full batch with any number of checks in flight', () => {
    const { enqueue, sizes } = batcherWith();

    enqueue(MANY + 32 + 32 + 5);

    expect(sizes()).toEqual([...BURST, 32, 32]);
  });

  it('sends a check immediately after all others were answered', async () => {
    const { enqueue, sizes, answerAll } = batcherWith();
    enqueue(MANY);
    await answerAll();

    enqueue(1);

    expect(sizes(BURST.length)).toEqual([1]);
  });

  it('sends no larger batch than the checks that are left in flight', async () => {
    const { enqueue, sizes, answer } = batcherWith();
    enqueue(MANY);
    await answer(BURST.length - 1);
    await answer(BURST.length - 2);

    enqueue(8);

    expect(sizes(BURST.length)).toEqual([8]);
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
