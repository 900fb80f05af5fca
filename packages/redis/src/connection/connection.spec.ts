import keySlot from 'cluster-key-slot';
import { subscribe, type BreakerEvent, type ConfigFaultEvent } from '../../../core/src/events/events.js';
import { ManualClient, ManualNode, replyError } from '../../../../test/support/manual-client.js';
import { manualConnection } from '../../../../test/support/manual-connection.js';

const breakerOpen = 'Redis cannot be reached: circuit breaker open: LOADING Redis is loading the dataset in memory';
const statusIs = (status: string) => `Redis cannot be reached: the client is not ready, its status is ${status}`;

let emitWarning: jest.SpyInstance;
let breaker: BreakerEvent[];
let faults: ConfigFaultEvent[];
let unsubscribe: (() => void)[];

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(0);
  emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
  [breaker, faults] = [[], []];
  unsubscribe = [
    subscribe('sluice:breaker', (event) => breaker.push(event)),
    subscribe('sluice:config-fault', (event) => faults.push(event)),
  ];
});

afterEach(() => {
  for (const end of unsubscribe) end();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
const states = () => breaker.map(({ state }) => state);

/** A connection whose breaker has just opened, for 125 ms. `before` is called first. */
async function openBreaker(before = (_made: ReturnType<typeof manualConnection>) => {}) {
  const made = manualConnection();
  before(made);
  for (let call = 0; call < 5; call += 1) {
    made.send().fail(replyError('LOADING Redis is loading the dataset in memory'));
    await pass(70);
  }
  made.ends.length = 0;
  made.client.sent.length = 0;
  return made;
}

/** A connection whose open breaker admits a probe, and has sent it. */
async function sendProbe(key = 'rl:{abcdef}:hour:fw000') {
  const made = await openBreaker();
  await pass(125);
  made.send({ keys: [key] });
  return made;
}

// First, because the process emits a warning once.
describe('Connection, refused by Redis', () => {
  it('reports a refusal once a minute, and warns once', async () => {
    const { send } = manualConnection();
    const refusal = replyError("NOPERM this user has no permissions to run the 'evalsha' command");
    const fail = async () => {
      send().fail(refusal);
      await pass(10);
    };

    for (let call = 0; call < 20; call += 1) await fail();
    const once = faults.length;
    await pass(60_000);
    await fail();

    expect([once, faults.length]).toEqual([1, 2]);
    expect(faults[0]).toEqual({ problem: refusal.message });
    expect(emitWarning.mock.calls).toEqual([
      [expect.stringContaining(refusal.message), expect.objectContaining({ code: 'SLUICE_REDIS_REFUSES' })],
    ]);
  });

  it('looks for eviction with the first answer, and with the next one after each ten minutes', async () => {
    const { client, send } = manualConnection();
    const looks = () => client.evictionLooks;
    const answer = async () => {
      send().reply(1);
      await pass(0);
      return looks();
    };

    const first = [await answer(), await answer()];
    await pass(599_999);
    const early = await answer();
    await pass(1);
    const due = [looks(), await answer(), await answer()];

    expect([first, early, due]).toEqual([[1, 1], 1, [1, 2, 2]]);
  });

  it('reports different refusals', async () => {
    const { send } = manualConnection();

    for (const problem of ['NOPERM one', 'NOPERM other', 'NOPERM one']) {
      send().fail(replyError(problem));
      await pass(1);
    }

    expect(faults).toEqual([{ problem: 'NOPERM one' }, { problem: 'NOPERM other' }]);
  });

  it('reports why a client cannot connect', () => {
    const { ends, send } = manualConnection(
      Object.assign(new ManualClient('end'), { lastError: replyError('WRONGPASS invalid') }),
    );

    send();

    expect(faults).toEqual([{ problem: 'WRONGPASS invalid' }]);
    expect(ends).toEqual(['Redis cannot be reached: WRONGPASS invalid']);
  });
});

describe('Connection, before the client is ready', () => {
  it.each(['connecting', 'connect', 'reconnecting'])(
    'sends waiting calls when the client is ready: %s',
    async (status) => {
      const { client, ends, send } = manualConnection(new ManualClient(status));
      send();
      send();
      const before = client.sent.length;

      await pass(30);
      client.become('ready');
      await pass(1);
      for (const sent of client.sent) sent.reply(1);
      await pass(1_000);

      expect([before, ends]).toEqual([0, ['answered 1', 'answered 1']]);
    },
  );

  it('connects a client with lazyConnect', () => {
    const { client, send } = manualConnection(new ManualClient('wait'));

    send();
    send();

    expect([client.connects, client.sent.length]).toEqual([1, 0]);
  });

  it('rejects waiting calls when the connect deadline has passed since the first of them, and never sends them', async () => {
    const { client, ends, send } = manualConnection(new ManualClient('connecting'));
    send();

    await pass(1_500);
    send();
    const before = [...ends];
    await pass(501);
    client.become('ready');
    await pass(1_000);

    expect(before).toEqual([]);
    expect(ends).toEqual([statusIs('connecting'), statusIs('connecting')]);
    expect(client.sent).toEqual([]);
  });

  it('gives a call its whole deadline when the client is ready', async () => {
    const { client, ends, send } = manualConnection(new ManualClient('connecting'));
    send();

    await pass(1_900);
    client.become('ready');
    await pass(49);
    const before = [...ends];
    await pass(2);

    expect(before).toEqual([]);
    expect(ends).toEqual(['Redis could not answer: no reply within 50 ms']);
  });

  it('rejects later calls immediately once a call has waited in vain', async () => {
    const { client, ends, send } = manualConnection(new ManualClient('connecting'));
    send();
    await pass(2_001);

    send();
    const last = ends.at(-1);
    client.become('ready');
    send();

    expect(last).toBe(statusIs('connecting'));
    expect(client.sent).toHaveLength(1);
  });

  it('waits while the client tries again', async () => {
    const { client, ends, send } = manualConnection(new ManualClient('connecting'));
    send();

    client.become('close');
    client.status = 'reconnecting';
    await pass(1_000);
    client.become('ready');
    await pass(1);
    client.last.reply(1);
    await pass(1);

    expect(ends).toEqual(['answered 1']);
  });

  it.each<[string, Partial<ManualClient & { lastError: Error }>]>([
    ['has ended', { status: 'end' }],
    ['is refused', { lastError: replyError('WRONGPASS invalid') }],
  ])('rejects waiting and later calls when the client %s', async (_why, state) => {
    const { client, ends, send } = manualConnection(new ManualClient('connecting'));
    send();

    client.become('close');
    Object.assign(client, state);
    client.emit('close');
    await pass(1);
    send();

    expect(ends).toHaveLength(2);
    expect(client.sent).toEqual([]);
  });

  it('does not open the breaker', async () => {
    const { client, send } = manualConnection(new ManualClient('connecting'));

    for (let call = 0; call < 30; call += 1) {
      send();
      await pass(60);
    }

    expect(breaker).toEqual([]);
    client.become('end');
  });

  it('gives each rejected call an error of its own', () => {
    const { client, send } = manualConnection();
    const errors: Error[] = [];
    client.become('close');

    for (let call = 0; call < 2; call += 1) send({ reject: (error) => void errors.push(error) });

    expect(errors.map(({ message }) => message)).toEqual([statusIs('close'), statusIs('close')]);
    expect(errors[0]).not.toBe(errors[1]);
  });

  it('does not wait for a client without events', () => {
    const never = () => new Promise<unknown>(() => undefined);
    const client = { status: 'connecting', sent: [], evalsha: never, eval: never };
    const { ends, send } = manualConnection(client as unknown as ManualClient);

    send();

    expect(ends).toEqual([statusIs('connecting')]);
  });

  it('rejects calls immediately after the client was lost, until it is ready again', async () => {
    const { client, ends, send } = manualConnection();
    client.become('close');
    client.status = 'reconnecting';

    send();
    client.become('ready');
    send().reply(1);
    await pass(1);

    expect(ends).toEqual([statusIs('reconnecting'), 'answered 1']);
    expect(client.sent).toHaveLength(1);
  });
});

describe('Connection, start of a Cluster', () => {
  const [ada, bob] = ['rl:{ada}:hour:fw000', 'rl:{bob}:hour:fw000'];

  /** A Cluster whose client still connects. */
  function startingCluster() {
    const client = Object.assign(new ManualClient('connecting'), { isCluster: true });
    const addNode = (key: string, port: number) => {
      const node = new ManualNode(port, 'connecting');
      client.manualNodes.push(node);
      client.slots[keySlot(key)] = [`127.0.0.1:${port}`];
      client.emit('+node');
      return node;
    };
    return { ...manualConnection(client), addNode, node: addNode(ada, 7_001) };
  }

  it('waits for the first connection to a node as long as for that to a server', async () => {
    const { client, ends, send, node } = startingCluster();
    client.become('ready');

    send({ keys: [ada] });
    await pass(1_900);
    node.become('ready');
    await pass(1);
    client.last.reply(1);
    await pass(1);

    expect(ends).toEqual(['answered 1']);
  });

  it('waits no longer for the Cluster and a node together than for a server', async () => {
    const { client, ends, send } = startingCluster();
    send({ keys: [ada] });

    await pass(1_500);
    client.become('ready');
    await pass(501);

    expect(ends).toEqual([statusIs('connecting')]);
  });

  it('does not wait for a node that was ready, and is lost when a call needs it first', async () => {
    const { client, ends, send, node } = startingCluster();
    client.become('ready');
    node.become('ready');
    node.become('close');

    send({ keys: [ada] });
    await pass(1);

    expect(ends).toEqual([statusIs('close')]);
  });

  it('waits no longer than the deadline for a node that it gets later', async () => {
    const { client, ends, send, addNode } = startingCluster();
    client.become('ready');
    send({ keys: [ada] });
    await pass(2_100);

    addNode(bob, 7_002);
    send({ keys: [bob] });
    await pass(60);

    expect(ends).toEqual([statusIs('connecting'), statusIs('connecting')]);
  });

  it('is not idle while a call that has waited for the Cluster waits for a node', async () => {
    const { client, connection, ends, send, node } = startingCluster();
    send({ keys: [ada] });
    const idle = connection.idle().then(() => ends.push('idle'));

    client.become('ready');
    await pass(1);
    node.become('ready');
    await pass(1);
    client.last.reply(1);
    await idle;

    expect(ends).toEqual(['answered 1', 'idle']);
  });
});

describe('Connection, breaker', () => {
  it.each([
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    "CROSSSLOT Keys in request don't hash to the same slot",
    "NOPERM this user has no permissions to run the 'evalsha' command",
    'ERR value is not an integer',
  ])('stays closed after %s', async (problem) => {
    const { client, send } = manualConnection();

    for (let call = 0; call < 40; call += 1) {
      send().fail(replyError(problem));
      await pass(20);
    }

    expect(breaker).toEqual([]);
    expect(client.sent).toHaveLength(40);
  });

  it('opens after calls without a reply', async () => {
    const { ends, send } = manualConnection();

    for (let call = 0; call < 5; call += 1) {
      send();
      await pass(70);
    }
    send();

    expect(breaker).toMatchObject([{ state: 'open', problem: 'no reply within 50 ms' }]);
    expect(ends.at(-1)).toBe('Redis cannot be reached: circuit breaker open: no reply within 50 ms');
  });

  it('counts a call once, however many errors it has', async () => {
    const { send } = manualConnection();

    for (let call = 0; call < 4; call += 1) {
      const sent = send();
      await pass(70);
      sent.fail(new Error('Connection is closed.'));
      await pass(20);
    }

    expect(breaker).toEqual([]);
  });

  it('rejects calls and sends none while it is open', async () => {
    const { client, ends, send } = await openBreaker();

    send();
    send();
    await pass(10_000);

    expect(breaker).toMatchObject([{ state: 'open', problem: expect.stringMatching(/^LOADING/), openFor: 125 }]);
    expect(ends).toEqual([breakerOpen, breakerOpen]);
    expect(client.sent).toEqual([]);
  });

  it('sends one probe when it is due, and rejects the call', async () => {
    const { client, ends, send } = await sendProbe();

    send();
    send();

    expect(client.sent).toHaveLength(1);
    expect(ends).toEqual([breakerOpen, breakerOpen, breakerOpen]);
    expect(states()).toEqual(['open', 'half-open']);
  });

  it.each([
    ['app:{abcdef}:hour:fw000', 'app:{abcdef}:probe'],
    ['app:{tenant}:abcdef:hour:fw000', 'app:{tenant}:probe'],
    ['key', '{key}:probe'],
  ])('probes next to the key %s, with its prefix and its slot', async (key, probe) => {
    const { client } = await sendProbe(key);

    expect(client.last.keys).toEqual([probe]);
  });

  it.each<[string, (client: ManualClient) => void]>([
    ['is answered', (client) => client.last.reply([0])],
    [
      'fails for a reason of the request',
      (client) => client.last.fail(replyError('WRONGTYPE Operation against a key')),
    ],
  ])('closes when the probe %s', async (_what, end) => {
    const { client, send } = await sendProbe();

    end(client);
    await pass(1);
    send();

    expect(states()).toEqual(['open', 'half-open', 'closed']);
    expect(client.sent).toHaveLength(2);
  });

  it.each<[string, (client: ManualClient) => void]>([
    ['fails', (client) => client.last.fail(replyError('READONLY'))],
    ['has no reply', () => undefined],
  ])('opens for longer when the probe %s', async (_what, end) => {
    const { client, send } = await sendProbe();

    end(client);
    await pass(60);
    client.sent.length = 0;
    await pass(180);
    send();
    const early = client.sent.length;
    await pass(70);
    send();

    expect(states()).toEqual(['open', 'half-open', 'open', 'half-open']);
    expect([early, client.sent.length]).toEqual([0, 1]);
  });

  it('ignores the reply to a call from before it opened', async () => {
    let slow!: ReturnType<ReturnType<typeof manualConnection>['send']>;
    const { ends, send } = await openBreaker((made) => (slow = made.send()));

    slow.reply(1);
    await pass(1);
    send();

    expect(states()).toEqual(['open']);
    expect(ends.at(-1)).toBe(breakerOpen);
  });

  it('closes when the client is ready again', async () => {
    const { client, send } = await openBreaker();

    client.become('close');
    client.become('ready');
    send();

    expect(states()).toEqual(['open', 'closed']);
    expect(client.sent).toHaveLength(1);
  });

  it('calls back at the first answer, and at the first one after a failure', async () => {
    const { connection, send } = manualConnection();
    const onAnswer = jest.fn();
    connection.onAnswer(onAnswer);
    const answer = async () => {
      send().reply(1);
      await pass(1);
    };

    await answer();
    await answer();
    const atFirst = onAnswer.mock.calls.length;
    send().fail(replyError('NOPERM this user has no permissions'));
    await pass(1);
    send();
    await pass(60);
    const before = onAnswer.mock.calls.length;
    await answer();
    await answer();

    expect([atFirst, before, onAnswer.mock.calls.length]).toEqual([1, 1, 2]);
  });

  it('calls back no longer after an unsubscription', async () => {
    const { client, connection, send } = manualConnection();
    const [onReady, onAnswer] = [jest.fn(), jest.fn()];
    const ends = [connection.onReady(onReady), connection.onAnswer(onAnswer)];

    for (const end of ends) end();
    client.become('close');
    client.become('ready');
    send().reply(1);
    await pass(1);

    expect([onReady.mock.calls, onAnswer.mock.calls]).toEqual([[], []]);
  });

  it('calls back before a check when the probe of an open breaker is answered', async () => {
    const { client, connection } = await sendProbe();
    const onAnswer = jest.fn();
    connection.onAnswer(onAnswer);

    client.last.reply([0]);
    await pass(1);

    expect(onAnswer).toHaveBeenCalledTimes(1);
  });

  it('resolves when every call sent until now has a reply, an error or no time left', async () => {
    const { client, connection, send } = manualConnection();
    const [first, second] = [jest.fn(), jest.fn()];
    for (let call = 0; call < 3; call += 1) send();
    void connection.idle().then(first);
    void connection.idle().then(second);

    client.sent[0]!.reply(1);
    client.sent[1]!.fail(new Error('Connection is closed.'));
    await pass(40);
    const before = first.mock.calls.length;
    await pass(20);

    expect([before, first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1, 1]);
  });

  it('resolves immediately without calls in flight', async () => {
    const { connection } = manualConnection();

    await expect(connection.idle()).resolves.toBeUndefined();
  });
});
