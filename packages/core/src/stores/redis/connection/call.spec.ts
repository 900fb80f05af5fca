import keySlot from 'cluster-key-slot';
import { ManualClient, ManualNode, replyError } from '../../../testing/internal/manual-client.js';
import { subscribe, type LateReplyEvent, type StoreCallEvent } from '../../../events/events.js';
import { Deadline } from './deadline.js';
import { Connection } from './connection.js';
import type { CallRequest } from './call.js';

const script = { sha: 'sha', source: 'source' };

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A link to a client in the hands of the test, and calls that note what came of them. */
function linked(client = new ManualClient()) {
  const link = new Connection(client, new Deadline(50));
  const ends: string[] = [];
  const send = (more: Partial<CallRequest> = {}) => {
    const asked = performance.now();
    const call: CallRequest = {
      script,
      keys: ['rl:{a}:hour:fw000'],
      arguments: [1],
      groups: 1,
      asked,
      answer: (reply) => ends.push(`answered ${String(reply)}`),
      fail: ({ code, message }) => ends.push(`${code} ${message}`),
      ...more,
    };
    link.send(call, performance.now());
  };
  return { client, link, ends, send };
}

/** Time passes, and what has come is read. */
const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

describe('a call on its way', () => {
  it('is sent at once, by its SHA-1, with its keys', () => {
    const { client, send } = linked();

    send();

    expect(client.sent).toMatchObject([{ command: 'evalsha', script: 'sha', keys: ['rl:{a}:hour:fw000'] }]);
  });

  it('is settled by its answer', async () => {
    const { client, ends, link, send } = linked();
    send();

    client.last.reply(1);
    await pass(1_000);

    expect(ends).toEqual(['answered 1']);
    expect(link.checks).toBe(0);
  });

  it('is settled by what the server says is wrong', async () => {
    const { client, ends, send } = linked();
    send();

    client.last.fail(replyError('OOM command not allowed'));
    await pass(1_000);

    expect(ends).toEqual(['STORE_UNAVAILABLE Redis could not answer: OOM command not allowed']);
  });

  it('is settled by the deadline, once, whatever comes later', async () => {
    for (const late of ['reply', 'fail'] as const) {
      const { client, ends, link, send } = linked();
      send();

      await pass(51);
      const inTime = [...ends];
      if (late === 'reply') client.last.reply(1);
      else client.last.fail(new Error('Connection is closed.'));
      await pass(1_000);

      expect(inTime).toEqual(['STORE_UNAVAILABLE Redis could not answer: no reply within 50 ms']);
      expect(ends).toEqual(inTime);
      expect(link.checks).toBe(0);
    }
  });

  it('fails where its answer cannot be read', async () => {
    const { client, ends, send } = linked();
    send({
      answer() {
        throw new TypeError('no array');
      },
    });

    client.last.reply('nonsense');
    await pass(1_000);

    expect(ends).toEqual(['STORE_UNAVAILABLE Redis could not answer: no array']);
  });

  it('is never sent when the process was busy for longer than its deadline', async () => {
    const { client, ends, send } = linked();

    send({ asked: performance.now() - 50 });
    await pass(1_000);

    expect(client.sent).toEqual([]);
    expect(ends).toEqual([
      'STORE_UNAVAILABLE Redis cannot be reached: the process was busy for longer than the deadline',
    ]);
  });

  it('has what is left of its time when it waited to be sent', async () => {
    const { ends, send } = linked();

    send({ asked: performance.now() - 40 });
    await pass(9);
    const before = ends.length;
    await pass(42);

    expect([before, ends.length]).toEqual([0, 1]);
  });
});

describe('a call to a server without its script', () => {
  const noScript = replyError('NOSCRIPT No matching script. Please use EVAL.');

  it('is sent again once, with the text', async () => {
    const { client, ends, send } = linked();
    send();

    client.last.fail(noScript);
    await pass(1);
    client.last.reply(1);
    await pass(1_000);

    expect(client.sent.map(({ command, script: sent }) => [command, sent])).toEqual([
      ['evalsha', 'sha'],
      ['eval', 'source'],
    ]);
    expect(ends).toEqual(['answered 1']);
  });

  it('is not sent a third time', async () => {
    const { client, ends, send } = linked();
    send();

    client.last.fail(noScript);
    await pass(1);
    client.last.fail(noScript);
    await pass(1_000);

    expect(client.sent).toHaveLength(2);
    expect(ends).toEqual([expect.stringContaining('NOSCRIPT')]);
  });

  it('is not sent again when its deadline has passed: it was answered as not counted', async () => {
    const { client, ends, send } = linked();
    send();

    await pass(51);
    client.last.fail(noScript);
    await pass(1_000);

    expect(client.sent).toHaveLength(1);
    expect(ends).toHaveLength(1);
  });

  it('is not sent again when its deadline has passed, though the process was too busy to notice', async () => {
    jest.useRealTimers();
    const { client, ends, send } = linked();
    send();

    const end = performance.now() + 60;
    while (performance.now() < end);
    client.last.fail(noScript);
    while (ends.length === 0) await new Promise(setImmediate);

    expect(client.sent).toHaveLength(1);
    expect(ends).toHaveLength(1);
  });

  it('has no more time for being sent again', async () => {
    const { client, ends, send } = linked();
    send();

    await pass(40);
    client.last.fail(noScript);
    await pass(11);

    expect(client.sent).toHaveLength(2);
    expect(ends).toEqual(['STORE_UNAVAILABLE Redis could not answer: no reply within 50 ms']);
  });

  it.each(['MOVED 1 127.0.0.1:7000', 'TRYAGAIN', 'READONLY', 'ERR anything'])(
    'is alone in being sent again: not after %s',
    async (problem) => {
      const { client, ends, send } = linked();
      send();

      client.last.fail(replyError(problem));
      await pass(1_000);

      expect(client.sent).toHaveLength(1);
      expect(ends).toHaveLength(1);
    },
  );
});

describe('a call of a script that can pack its reply', () => {
  const packable = { ...script, packed: { sha: 'packed sha', source: 'packed source' } };

  /** A client that takes bytes by these methods; what they are called with is marked. */
  function clientWith(...methods: ('evalshaBuffer' | 'evalBuffer')[]) {
    const client = new ManualClient();
    const all = {
      evalshaBuffer: (sha: string, ...rest: [number, ...string[]]) => client.evalsha(`bytes by ${sha}`, ...rest),
      evalBuffer: (source: string, ...rest: [number, ...string[]]) => client.eval(`bytes by ${source}`, ...rest),
    };
    return Object.assign(client, Object.fromEntries(methods.map((method) => [method, all[method]])));
  }

  /** What is sent to a server without the script. */
  async function sentBy(client: ManualClient, asked: CallRequest['script']) {
    const { ends, send } = linked(client);
    send({ script: asked });
    client.last.fail(replyError('NOSCRIPT No matching script. Please use EVAL.'));
    await pass(1);
    client.last.reply(1);
    await pass(1);
    expect(ends).toEqual(['answered 1']);
    return client.sent.map(({ command, script: sent, keys }) => [command, sent, ...keys]);
  }

  it('asks a client that takes bytes for the packed one, by its SHA-1 and then by its text', async () => {
    const sent = await sentBy(clientWith('evalshaBuffer', 'evalBuffer'), packable);

    expect(sent).toEqual([
      ['evalsha', 'bytes by packed sha', 'rl:{a}:hour:fw000'],
      ['eval', 'bytes by packed source', 'rl:{a}:hour:fw000'],
    ]);
  });

  const plain = [
    ['evalsha', 'sha', 'rl:{a}:hour:fw000'],
    ['eval', 'source', 'rl:{a}:hour:fw000'],
  ];

  it.each([[[]], [['evalshaBuffer']], [['evalBuffer']]] as ('evalshaBuffer' | 'evalBuffer')[][][])(
    'asks a client plainly that takes bytes by no more than %j',
    async (methods) => {
      expect(await sentBy(clientWith(...methods), packable)).toEqual(plain);
    },
  );

  it('is needed for that: any other is asked for plainly', async () => {
    expect(await sentBy(clientWith('evalshaBuffer', 'evalBuffer'), script)).toEqual(plain);
  });
});

describe('what is told of calls', () => {
  let ended: StoreCallEvent[];
  let late: LateReplyEvent[];
  let unsubscribe: (() => void)[];

  beforeEach(() => {
    [ended, late] = [[], []];
    unsubscribe = [
      subscribe('sluice:store-call', (event) => ended.push(event)),
      subscribe('sluice:late-reply', (event) => late.push(event)),
    ];
  });

  afterEach(() => {
    for (const end of unsubscribe) end();
  });

  it('is how long they took, what travelled in them and what came of them', async () => {
    const { client, send } = linked();
    send({ groups: 3 });
    await pass(7);
    client.last.reply(1);
    send({ groups: 0 });
    await pass(5);
    client.last.fail(replyError('OOM'));
    linked().send();
    await pass(60);

    expect(ended).toEqual([
      { duration: 7, groups: 3, outcome: 'answered' },
      { duration: 5, groups: 0, outcome: 'failed', problem: 'OOM' },
      { duration: 51, groups: 1, outcome: 'late', problem: 'no reply within 50 ms' },
    ]);
  });

  it('names the primary of a Cluster that they went to', async () => {
    const cluster = new ManualClient();
    const node = new ManualNode(7_001);
    Object.assign(cluster, { isCluster: true, manualNodes: [node] });
    cluster.slots[keySlot('rl:{a}:hour:fw000')] = ['127.0.0.1:7001'];
    const { client, send } = linked(cluster);
    send();
    client.last.reply(1);
    await pass(1);
    send();
    await pass(60);
    client.last.reply(1);
    await pass(1);

    const primary = '127.0.0.1:7001';
    expect(ended).toMatchObject([
      { outcome: 'answered', primary },
      { outcome: 'late', primary },
    ]);
    expect(late).toMatchObject([{ primary }]);
  });

  it('is a reply that came too late, after all its time', async () => {
    const { client, send } = linked();
    send({ groups: 5 });

    await pass(80);
    client.last.reply(1);
    await pass(1);

    expect(late).toEqual([{ duration: 80, groups: 5 }]);
  });

  it('is no late reply where none came', async () => {
    const { client, send } = linked();
    send();

    await pass(80);
    client.last.fail(new Error('Connection is closed.'));
    await pass(1);

    expect(late).toEqual([]);
  });

  it('is nothing of a call that was never sent', async () => {
    const { send } = linked(new ManualClient('end'));

    send();
    await pass(1_000);

    expect(ended).toEqual([]);
  });
});

describe('waiting for the end of a call', () => {
  it('is possible for any number', async () => {
    const { link, client, send } = linked();
    send();
    const ends = Promise.all([link.settled(), link.settled()]);

    client.sent[0]!.reply('OK');

    await expect(ends).resolves.toHaveLength(2);
  });
});

describe('an error that comes too late', () => {
  it.each([
    ['is told where Redis has said it', replyError('OOM'), 1],
    ['is not told where the connection has', new Error('Connection is closed.'), 0],
  ])('%s', async (_what, error, told) => {
    const late: LateReplyEvent[] = [];
    const end = subscribe('sluice:late-reply', (event) => late.push(event));
    const { client, send } = linked();
    send();

    await jest.advanceTimersByTimeAsync(60);
    client.sent[0]!.fail(error);
    await jest.advanceTimersByTimeAsync(0);
    end();

    expect(late).toHaveLength(told);
  });
});
