import { ManualClient, ManualNode, replyError } from '../../../testing/internal/manual-client.js';
import { Deadline } from './deadline.js';
import { Endpoints } from './endpoints.js';
import { Connection } from './connection.js';

const KEY = 'rl:{abcdef}:hour:fw000';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

/** A client that can be told to hang up, and checks that go to it. */
function silent() {
  const hangUp = jest.fn();
  const client = Object.assign(new ManualClient(), { hangUp });
  const link = new Connection(client, new Deadline(50));
  const send = () => {
    const asked = performance.now();
    const script = { sha: 'sha', source: 'source' };
    link.send({ script, keys: [KEY], arguments: [], groups: 1, asked, answer() {}, fail() {} }, asked);
    return client.last;
  };
  return { client, hangUp, send };
}

describe('A connection from which no reply has come', () => {
  it('is ended two seconds after the first that is missing was asked for', async () => {
    const { hangUp, send } = silent();

    send();
    await pass(1_000);
    send();
    await pass(999);
    expect(hangUp).not.toHaveBeenCalled();
    await pass(1);

    expect(hangUp).toHaveBeenCalledTimes(1);
  });

  it('is ended though nobody asks again', async () => {
    const { hangUp, send } = silent();

    send();
    await pass(60_000);

    expect(hangUp).toHaveBeenCalledTimes(1);
  });

  it.each<[string, (sent: ReturnType<ReturnType<typeof silent>['send']>) => void]>([
    ['an answer', (sent) => sent.reply([0, 0])],
    ['an error of the server', (sent) => sent.fail(replyError('BUSY Redis is busy running a script.'))],
  ])('is kept when %s comes, late as it is', async (_what, come) => {
    const { hangUp, send } = silent();

    const sent = send();
    await pass(1_900);
    come(sent);
    await pass(60_000);

    expect(hangUp).not.toHaveBeenCalled();
  });

  it('is ended where what comes is no reply', async () => {
    const { hangUp, send } = silent();

    const sent = send();
    await pass(1_900);
    sent.fail(new Error('Command timed out'));
    await pass(100);

    expect(hangUp).toHaveBeenCalledTimes(1);
  });

  it.each(['ready', 'close', 'end'] as const)('is not ended any more once the client tells of %s', async (event) => {
    const { client, hangUp, send } = silent();

    send();
    await pass(1_900);
    client.become(event);
    await pass(60_000);

    expect(hangUp).not.toHaveBeenCalled();
  });

  it('is watched again after it was ended', async () => {
    const { hangUp, send } = silent();

    send();
    await pass(3_000);
    send();
    await pass(2_000);

    expect(hangUp).toHaveBeenCalledTimes(2);
  });

  it('has no timer where every call is answered in time', async () => {
    const { hangUp, send } = silent();

    send().reply([0, 0]);
    await pass(60_000);

    expect([hangUp.mock.calls.length, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('is ended alone of all connections of a Cluster', async () => {
    const hangUp = jest.fn();
    const client = Object.assign(new ManualClient(), { hangUp, isCluster: true });
    client.manualNodes = [new ManualNode(7_001)];
    client.slots = Array.from({ length: 16_384 }, () => ['127.0.0.1:7001']);

    new Endpoints(client).of(KEY).missed(performance.now());
    await pass(2_000);

    expect(hangUp.mock.calls).toEqual([['127.0.0.1:7001']]);
  });
});
