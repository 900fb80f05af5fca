import { ManualClient, replyError } from '../../../testing/internal/manual-client.js';
import { subscribe, type BreakerEvent, type ConfigFaultEvent } from '../../../events/events.js';
import { Deadline } from './deadline.js';
import type { CallRequest } from './call.js';
import { Connection } from './connection.js';

const KEY = 'rl:{abcdef}:hour:fw000';

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

function linked(client = new ManualClient()) {
  const link = new Connection(client, new Deadline(50));
  const ends: string[] = [];
  const send = (...keys: string[]) => sendKeys(keys.length > 0 ? keys : [KEY]);
  const sendKeys = (keys: readonly string[]) => {
    const asked = performance.now();
    const call: CallRequest = {
      script: { sha: 'sha', source: 'source' },
      keys,
      arguments: [],
      groups: 1,
      asked,
      answer: () => ends.push('answered'),
      fail: ({ message }) => ends.push(message),
    };
    link.send(call, asked);
  };
  /** Calls that fail one after the other, until the breaker opens. */
  const open = async () => {
    for (let call = 0; call < 5; call += 1) {
      send();
      client.last.fail(replyError('LOADING Redis is loading the dataset in memory'));
      await pass(70);
    }
    ends.length = 0;
    client.sent.length = 0;
  };
  return { client, link, ends, send, sendKeys, open };
}

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
const leftAlone = 'Redis cannot be reached: Redis has not answered for a while, and is left alone for a moment';

// The first of all, for a warning is given once.
describe('a fault of the configuration', () => {
  const refusal = replyError("NOPERM this user has no permissions to run the 'evalsha' command");

  it('is told once a minute, and warned of once', async () => {
    const { client, send } = linked();
    const fail = async () => {
      send();
      client.last.fail(refusal);
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

  it('is told of each that differs', async () => {
    const { client, send } = linked();

    for (const problem of ['NOPERM one', 'NOPERM other', 'NOPERM one']) {
      send();
      client.last.fail(replyError(problem));
      await pass(1);
    }

    expect(faults).toEqual([{ problem: 'NOPERM one' }, { problem: 'NOPERM other' }]);
  });

  it('is told where a client cannot even connect, and says why', () => {
    const client = Object.assign(new ManualClient('end'), { trouble: replyError('WRONGPASS invalid') });
    const { ends, send } = linked(client);

    send();

    expect(faults).toEqual([{ problem: 'WRONGPASS invalid' }]);
    expect(ends).toEqual(['Redis cannot be reached: WRONGPASS invalid']);
  });
});

describe('a client that has not been ready yet', () => {
  it.each(['connecting', 'connect', 'reconnecting'])('is waited for, and fed when it is: %s', async (status) => {
    const { client, ends, send } = linked(new ManualClient(status));
    send();
    send();
    const before = client.sent.length;

    await pass(30);
    client.become('ready');
    const fed = client.sent.length;
    for (const sent of client.sent) sent.reply(1);
    await pass(1_000);

    expect([before, fed, ends]).toEqual([0, 2, ['answered', 'answered']]);
  });

  it('is told to connect where it waits for that', () => {
    const { client, send } = linked(new ManualClient('wait'));

    send();
    send();

    expect([client.connects, client.sent.length]).toEqual([1, 0]);
  });

  it('is waited for no longer than the deadline, and never fed with what was waiting', async () => {
    const { client, ends, send } = linked(new ManualClient('connecting'));
    send();

    await pass(51);
    const inTime = [...ends];
    client.become('ready');
    await pass(1_000);

    expect(inTime).toEqual(['Redis could not answer: no connection within 50 ms']);
    expect(client.sent).toEqual([]);
    expect(ends).toEqual(inTime);
  });

  it('is not waited for again by those who come after a call has waited in vain', async () => {
    const { client, ends, send } = linked(new ManualClient('connecting'));
    send();
    await pass(51);
    ends.length = 0;

    send();
    const atOnce = [...ends];
    client.become('ready');
    send();

    expect(atOnce).toEqual(['Redis cannot be reached: the client is not ready, its status is connecting']);
    expect(client.sent).toHaveLength(1);
  });

  it.each(['close', 'end'] as const)('is given up when its first attempt fails: %s', async (status) => {
    const { client, ends, send } = linked(new ManualClient('connecting'));
    send();

    client.become(status);
    client.status = 'reconnecting';
    send();
    await pass(1_000);

    expect(ends).toEqual([
      `Redis cannot be reached: the client is not ready, its status is ${status}`,
      'Redis cannot be reached: the client is not ready, its status is reconnecting',
    ]);
    expect(client.sent).toEqual([]);
  });

  it('counts nothing against the server while it is waited for', async () => {
    const { client, send } = linked(new ManualClient('connecting'));

    for (let call = 0; call < 30; call += 1) {
      send();
      await pass(60);
    }

    expect(breaker).toEqual([]);
    client.become('end');
  });

  it('is not waited for where it cannot tell when it is ready', () => {
    const { status, sent } = new ManualClient('connecting');
    const ends: string[] = [];
    const never = () => new Promise<unknown>(() => undefined);
    const link = new Connection({ status, evalsha: never, eval: never }, new Deadline(50));

    link.send(
      {
        script: { sha: '', source: '' },
        keys: [KEY],
        arguments: [],
        groups: 1,
        asked: performance.now(),
        answer: () => ends.push('answered'),
        fail: ({ message }) => ends.push(message),
      },
      performance.now(),
    );

    expect([ends.length, sent.length]).toEqual([1, 0]);
  });
});

describe('a client that was lost', () => {
  it('is not fed, and its calls fail at once, until it is ready', async () => {
    const { client, ends, send } = linked();
    client.become('close');
    client.status = 'reconnecting';

    send();
    const failed = [...ends];
    client.become('ready');
    send();
    client.last.reply(1);
    await pass(1);

    expect(failed).toEqual(['Redis cannot be reached: the client is not ready, its status is reconnecting']);
    expect(client.sent).toHaveLength(1);
    expect(ends.at(-1)).toBe('answered');
  });
});

describe('a breaker that is open', () => {
  it('fails all calls at once, and feeds the client with none of them', async () => {
    const { client, ends, send, open } = linked();
    await open();

    send();
    send();

    expect(breaker).toMatchObject([{ state: 'open', problem: expect.stringMatching(/^LOADING/), openFor: 125 }]);
    expect(ends).toEqual([leftAlone, leftAlone]);
    expect(client.sent).toEqual([]);
  });

  it('sends one probe when it is time, and still answers without the server', async () => {
    const { client, ends, send, open } = linked();
    await open();

    await pass(125);
    send();
    send();
    send();

    expect(client.sent).toHaveLength(1);
    expect(ends).toEqual([leftAlone, leftAlone, leftAlone]);
    expect(breaker.map(({ state }) => state)).toEqual(['open', 'half-open']);
  });

  it('sends no probe that nobody has asked for', async () => {
    const { client, open } = linked();
    await open();

    await pass(10_000);

    expect(client.sent).toEqual([]);
  });

  it('is closed by the answer of the probe', async () => {
    const { client, ends, send, open } = linked();
    await open();
    await pass(125);
    send();

    client.last.reply([0]);
    await pass(1);
    send();

    expect(breaker.map(({ state }) => state)).toEqual(['open', 'half-open', 'closed']);
    expect([ends.length, client.sent.length]).toEqual([1, 2]);
  });

  it.each([
    ['fails', (client: ManualClient) => client.last.fail(replyError('READONLY'))],
    ['is not answered in time', () => undefined],
  ])('stays open for longer when the probe %s', async (_what, act) => {
    const { client, send, open } = linked();
    await open();
    await pass(125);
    send();

    act(client);
    await pass(60);
    client.sent.length = 0;
    await pass(180);
    send();
    const early = client.sent.length;
    await pass(70);
    send();

    expect(breaker.map(({ state }) => state)).toEqual(['open', 'half-open', 'open', 'half-open']);
    expect([early, client.sent.length]).toEqual([0, 1]);
  });

  it('is not closed by an answer to what was sent before it opened', async () => {
    const { client, ends, send, open } = linked();
    const slow = linkedCall(client, send);
    await open();

    slow.reply(1);
    await pass(1);
    send();

    expect(breaker.map(({ state }) => state)).toEqual(['open']);
    expect(ends.at(-1)).toBe(leftAlone);
  });

  it('is closed by a probe that finds the server well and the request at fault', async () => {
    const { client, send, open } = linked();
    await open();
    await pass(125);
    send();

    client.last.fail(replyError('WRONGTYPE Operation against a key holding the wrong kind of value'));
    await pass(1);

    expect(breaker.map(({ state }) => state)).toEqual(['open', 'half-open', 'closed']);
  });

  it('is closed at once when the client is ready again', async () => {
    const { client, send, open } = linked();
    await open();

    client.become('close');
    client.become('ready');
    send();

    expect(breaker.map(({ state }) => state)).toEqual(['open', 'closed']);
    expect(client.sent).toHaveLength(1);
  });

  function linkedCall(client: ManualClient, send: () => void) {
    send();
    return client.last;
  }
});

describe('a breaker', () => {
  it.each([
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    "CROSSSLOT Keys in request don't hash to the same slot",
    "NOPERM this user has no permissions to run the 'evalsha' command",
    'ERR value is not an integer',
  ])('is not opened by %s', async (problem) => {
    const { client, send } = linked();

    for (let call = 0; call < 40; call += 1) {
      send();
      client.last.fail(replyError(problem));
      await pass(20);
    }

    expect(breaker).toEqual([]);
    expect(client.sent).toHaveLength(40);
  });

  it('counts calls that are not answered in time', async () => {
    const { ends, send } = linked();

    for (let call = 0; call < 5; call += 1) {
      send();
      await pass(70);
    }
    send();

    expect(breaker).toMatchObject([{ state: 'open', problem: 'no reply within 50 ms' }]);
    expect(ends.at(-1)).toBe(leftAlone);
  });

  it('counts a call once, whatever travels in it and however late its failure comes', async () => {
    const { client, send } = linked();

    for (let call = 0; call < 4; call += 1) {
      send();
      await pass(70);
      client.last.fail(new Error('Connection is closed.'));
      await pass(20);
    }

    expect(breaker).toEqual([]);
  });
});

describe('a probe', () => {
  async function probeBeside(key: string): Promise<string> {
    const { client, send, open } = linked();
    await open();
    await pass(125);
    send(key);
    return client.last.keys[0]!;
  }

  it('is of a key of its own, with the prefix and the hash tag of the key that was asked for', async () => {
    expect(await probeBeside('app:{abcdef}:hour:fw000')).toBe('app:{abcdef}:canary');
    expect(await probeBeside('app:{tenant}:abcdef:hour:fw000')).toBe('app:{tenant}:canary');
  });

  it('shares the slot of a key without a tag', async () => {
    expect(await probeBeside('key')).toBe('{key}:canary');
  });
});

describe('waiting until all is settled', () => {
  it('resolves when what was sent has been answered, has failed or is late', async () => {
    const { client, link, send } = linked();
    const done = jest.fn();
    for (let call = 0; call < 3; call += 1) send();
    void link.settled().then(done);

    client.sent[0]!.reply(1);
    client.sent[1]!.fail(new Error('Connection is closed.'));
    await pass(40);
    const before = done.mock.calls.length;
    await pass(20);

    expect([before, done.mock.calls.length]).toEqual([0, 1]);
  });

  it('resolves at once where nothing is under way', async () => {
    const { link } = linked();

    await expect(link.settled()).resolves.toBeUndefined();
  });
});

describe('a call without a key, which nobody knows a canary beside', () => {
  it('is the probe itself, and told what came of it', async () => {
    const { client, ends, sendKeys, open } = linked();
    await open();

    sendKeys([]);
    const early = client.sent.length;
    await pass(1_000);
    sendKeys([]);
    const keys = client.last.keys;
    client.last.reply([]);
    await pass(1);

    expect(early).toBe(0);
    expect(keys).toEqual([]);
    expect(ends).toEqual([leftAlone, 'answered']);
  });
});
