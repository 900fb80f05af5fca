import { ManualClient, ManualNode, replyError, type Sent } from '../../../../test/support/manual-client.js';
import { manualConnection } from '../../../../test/support/manual-connection.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

/** Reads a reply that is not that of the script. */
function fail(): never {
  throw new TypeError('the reply has another form');
}

function connectionWithReset() {
  const resetConnection = jest.fn();
  const { client, send } = manualConnection(Object.assign(new ManualClient(), { resetConnection }));
  return { client, resetConnection, send };
}

describe('Endpoint without replies', () => {
  it('resets the connection two seconds after the first request without a reply, and then again', async () => {
    const { resetConnection, send } = connectionWithReset();

    send();
    await pass(1_000);
    send();
    await pass(999);
    const early = resetConnection.mock.calls.length;
    await pass(1);
    const once = resetConnection.mock.calls.length;
    await pass(60_000);
    send();
    await pass(2_000);

    expect([early, once, resetConnection.mock.calls.length]).toEqual([0, 1, 2]);
  });

  it.each<[string, (sent: Sent) => void]>([
    ['reply', (sent) => sent.reply([0, 0])],
    ['error of the server', (sent) => sent.fail(replyError('BUSY Redis is busy running a script.'))],
  ])('keeps the connection after a late %s', async (_what, end) => {
    const { resetConnection, send } = connectionWithReset();

    const sent = send();
    await pass(1_900);
    end(sent);
    await pass(60_000);

    expect(resetConnection).not.toHaveBeenCalled();
  });

  it('keeps the connection after a late refusal of a client that names no replies, as node-redis', async () => {
    const { resetConnection, send } = connectionWithReset();

    const sent = send();
    await pass(1_900);
    sent.fail(new Error("NOPERM this user has no permissions to run the 'evalsha' command"));
    await pass(60_000);

    expect(resetConnection).not.toHaveBeenCalled();
  });

  it('resets the connection after a late error of the client', async () => {
    const { resetConnection, send } = connectionWithReset();

    const sent = send();
    await pass(1_900);
    sent.fail(new Error('Command timed out'));
    await pass(100);

    expect(resetConnection).toHaveBeenCalledTimes(1);
  });

  it.each(['ready', 'close', 'end'] as const)('does not reset a connection after its event %s', async (event) => {
    const { client, resetConnection, send } = connectionWithReset();

    send();
    await pass(1_900);
    client.become(event);
    await pass(60_000);

    expect(resetConnection).not.toHaveBeenCalled();
  });

  it('starts no timer while every call is answered in time', async () => {
    const { resetConnection, send } = connectionWithReset();

    send().reply([0, 0]);
    await pass(60_000);

    expect([resetConnection.mock.calls.length, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('asks again every two seconds for a connection that is not replaced, and not after an answer', async () => {
    const { resetConnection, send } = connectionWithReset();
    let lose!: (error: Error) => void;
    resetConnection.mockImplementation(() => new Promise((_resolve, reject) => (lose = reject)));
    const asked = () => resetConnection.mock.calls.length;

    send();
    await pass(2_000);
    const first = asked();
    send();
    await pass(4_000);
    const during = asked();
    lose(new Error('Socket closed unexpectedly'));
    await pass(60_000);

    expect([first, during, asked()]).toEqual([1, 3, 3]);
  });

  it.each<[string, 'ready' | 'close', number]>([
    ['no more once the client is ready', 'ready', 1],
    ['again while the client has no connection', 'close', 2],
  ])('asks %s', async (_what, event, times) => {
    const { client, resetConnection, send } = connectionWithReset();
    resetConnection.mockImplementation(() => new Promise(() => undefined));

    send();
    await pass(2_000);
    client.become('close');
    client.become(event);
    await pass(2_000);

    expect(resetConnection.mock.calls).toHaveLength(times);
  });

  it('resets the connection after a reply of another form, once in two seconds', async () => {
    const { resetConnection, send } = connectionWithReset();
    const foreign = async () => {
      send({ decode: () => fail() }).reply('OK');
      await pass(0);
      return resetConnection.mock.calls.length;
    };

    const early = [await foreign(), await foreign()];
    await pass(2_000);

    expect([early, await foreign()]).toEqual([[1, 1], 2]);
  });

  it('resets no connection of a client that is not ready', async () => {
    const { client, resetConnection, send } = connectionWithReset();

    send();
    client.status = 'end';
    await pass(60_000);

    expect(resetConnection).not.toHaveBeenCalled();
  });

  it('resets one node of a Cluster', async () => {
    const resetConnection = jest.fn();
    const client = Object.assign(new ManualClient(), { resetConnection, isCluster: true });
    client.manualNodes = [new ManualNode(7_001)];
    client.slots = Array.from({ length: 16_384 }, () => ['127.0.0.1:7001']);

    manualConnection(client).send();
    await pass(2_000);

    expect(resetConnection.mock.calls).toEqual([['127.0.0.1:7001']]);
  });
});

describe('Endpoint of a server that refuses calls', () => {
  const refusals = [
    "READONLY You can't write against a read only replica.",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "NOPERM this user has no permissions to run the 'evalsha' command",
  ];

  it.each(refusals)('has another connection two seconds after %s, and again after two more', async (problem) => {
    const { client, resetConnection, send } = connectionWithReset();
    send().reply(1);
    await pass(1);
    const asked: number[] = [];

    for (let second = 0; second < 4; second += 1) {
      // The breaker may be open, and each connection begins with a closed one.
      client.become('ready');
      for (let call = 0; call < 3; call += 1) send().fail(replyError(problem));
      await pass(0);
      asked.push(resetConnection.mock.calls.length);
      await pass(2_000);
    }

    expect(asked).toEqual([0, 1, 2, 3]);
  });

  it.each(refusals.slice(0, 2))('keeps a connection that answers after %s', async (problem) => {
    const { resetConnection, send } = connectionWithReset();

    send().fail(replyError(problem));
    await pass(1_000);
    send().reply(1);
    await pass(60_000);

    expect(resetConnection).not.toHaveBeenCalled();
  });

  it('keeps a connection whose user has never had the rights, and one that fails otherwise', async () => {
    const { resetConnection, send } = connectionWithReset();

    send().fail(replyError(refusals[2]!));
    await pass(60_000);
    send().fail(replyError("OOM command not allowed when used memory > 'maxmemory'."));
    await pass(60_000);

    expect(resetConnection).not.toHaveBeenCalled();
  });
});
