import keySlot from 'cluster-key-slot';
import { subscribe, type LateReplyEvent, type StoreCallEvent } from '../../../core/src/events/events.js';
import { ManualClient, ManualNode, replyError } from '../../../../test/support/manual-client.js';
import { manualConnection, type ManualConnection } from '../../../../test/support/manual-connection.js';

const KEY = 'rl:{abcdef}:hour:fw000';
const noReply = 'Redis could not answer: no reply within 50 ms';
const connectionClosed = new Error('Connection is closed.');

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

/** A connection that has sent the text of its script, which the server then loses. */
async function forgetfulServer(client?: ManualClient): Promise<ManualConnection> {
  const connection = manualConnection(client);
  connection.send().reply(1);
  // The timer of the first deadline has run.
  await pass(60);
  connection.client.sent.length = connection.ends.length = 0;
  return connection;
}

describe('Call', () => {
  it('sends the text of the script and the keys, and resolves with the reply', async () => {
    const { client, connection, ends, send } = manualConnection();

    send();
    const inFlight = connection.inFlight;
    client.last.reply(1);
    await pass(1_000);

    expect(client.sent).toMatchObject([{ command: 'eval', script: 'source', keys: [KEY] }]);
    expect(ends).toEqual(['answered 1']);
    expect([inFlight, connection.inFlight]).toEqual([1, 0]);
  });

  it('rejects with the error of the server', async () => {
    const { ends, send } = manualConnection();

    send().fail(replyError('OOM command not allowed'));
    await pass(1_000);

    expect(ends).toEqual(['Redis could not answer: OOM command not allowed']);
  });

  it.each<[string, (client: ManualClient) => void]>([
    ['reply', (client) => client.last.reply(1)],
    ['error', (client) => client.last.fail(connectionClosed)],
  ])('rejects at the deadline, and ignores a later %s', async (_what, end) => {
    const { client, connection, ends, send } = manualConnection();
    send();

    await pass(51);
    const inTime = [...ends];
    end(client);
    await pass(1_000);

    expect(inTime).toEqual([noReply]);
    expect(ends).toEqual(inTime);
    expect(connection.inFlight).toBe(0);
  });

  it('fails, as a refusal, if the reply is not that of the script', async () => {
    const { ends, send } = manualConnection();
    const calls: StoreCallEvent[] = [];
    const unsubscribe = subscribe('sluice:store-call', (event) => calls.push(event));
    const decode = () => {
      throw new TypeError('no array');
    };

    send({ decode }).reply('OK');
    await pass(1_000);
    unsubscribe();

    const problem = expect.stringMatching(/^SLUICE_UNSUPPORTED a script got a reply of another form: /);
    expect(ends).toEqual([expect.stringContaining('a script got a reply of another form')]);
    expect(calls).toMatchObject([{ outcome: 'failed', problem }]);
  });
});

describe('Call of a script', () => {
  it('has the text first on a connection, and once in a burst', () => {
    const { client, send } = manualConnection();

    for (let call = 0; call < 3; call += 1) send();

    expect(client.sent.map(({ command }) => command)).toEqual(['eval', 'evalsha', 'evalsha']);
  });

  it('has the text again on the next connection', () => {
    const { client, send } = manualConnection();

    send();
    client.become('close');
    client.become('ready');
    for (let call = 0; call < 2; call += 1) send();

    expect(client.sent.map(({ command }) => command)).toEqual(['eval', 'eval', 'evalsha']);
  });
});

describe('Call to a server without the script', () => {
  const noScript = replyError('NOSCRIPT No matching script. Please use EVAL.');

  it('sends the text of the script', async () => {
    const { client, ends, send } = await forgetfulServer();

    send().fail(noScript);
    await pass(1);
    client.last.reply(1);
    await pass(1_000);

    expect(client.sent.map(({ command, script }) => [command, script])).toEqual([
      ['evalsha', 'sha'],
      ['eval', 'source'],
    ]);
    expect(ends).toEqual(['answered 1']);
  });

  it('sends the text once', async () => {
    const { client, ends, send } = await forgetfulServer();

    send().fail(noScript);
    await pass(1);
    client.last.fail(noScript);
    await pass(1_000);

    expect(client.sent).toHaveLength(2);
    expect(ends).toEqual([expect.stringContaining('NOSCRIPT')]);
  });

  it('sends one text for all calls in flight, and the others behind it by SHA-1', async () => {
    const { client, send } = await forgetfulServer();

    const calls = [send(), send(), send()];
    for (const call of calls) call.fail(noScript);
    await pass(1);

    const commands = client.sent.map(({ command }) => command);
    expect(commands).toEqual(['evalsha', 'evalsha', 'evalsha', 'eval', 'evalsha', 'evalsha']);
  });

  it('sends the text once more if it was lost on its way', async () => {
    const { client, ends, send } = await forgetfulServer();

    const calls = [send(), send()];
    for (const call of calls) call.fail(noScript);
    await pass(1);
    client.sent[2]!.fail(connectionClosed);
    client.sent[3]!.fail(noScript);
    await pass(1);
    client.last.reply(2);
    await pass(1);

    expect(client.sent.map(({ command }) => command)).toEqual(['evalsha', 'evalsha', 'eval', 'evalsha', 'eval']);
    expect(ends.at(-1)).toBe('answered 2');
  });

  it('has the same deadline for the text', async () => {
    const { client, ends, send } = await forgetfulServer();
    send();

    await pass(40);
    client.last.fail(noScript);
    await pass(11);

    expect(client.sent).toHaveLength(2);
    expect(ends).toEqual([noReply]);
  });

  it('sends no text after the deadline', async () => {
    const { client, ends, send } = await forgetfulServer();
    send();

    await pass(51);
    client.last.fail(noScript);
    await pass(1_000);

    expect(client.sent).toHaveLength(1);
    expect(ends).toHaveLength(1);
  });

  describe('whose refusal a busy process reads after the deadline', () => {
    /** A call whose refusal was read too late: the text was sent. */
    const readLate = async () => {
      const connection = await forgetfulServer();
      jest.useRealTimers();
      const sent = connection.send();
      const end = performance.now() + 60;
      while (performance.now() < end);
      const refusedAt = performance.now();
      sent.fail(noScript);
      // No timer runs before these callbacks of promises, however busy the machine is.
      while (connection.client.sent.length < 2) await Promise.resolve();
      return { connection, refusedAt };
    };

    it('is answered, because the text was sent', async () => {
      const { client, ends } = (await readLate()).connection;

      client.last.reply(2);
      while (ends.length === 0) await Promise.resolve();

      expect(client.sent.map(({ command }) => command)).toEqual(['evalsha', 'eval']);
      expect(ends).toEqual(['answered 2']);
    });

    it('has the deadline once more, and is late after that', async () => {
      const { connection: late, refusedAt } = await readLate();
      const { client, connection, ends } = late;

      const inFlight = connection.inFlight;
      while (ends.length === 0) await new Promise(setImmediate);

      expect(performance.now() - refusedAt).toBeGreaterThan(45);
      expect([client.sent.length, inFlight, connection.inFlight]).toEqual([2, 1, 0]);
      expect(ends).toEqual([noReply]);
    });
  });

  it.each(['MOVED 1 127.0.0.1:7000', 'TRYAGAIN', 'READONLY', 'ERR anything'])(
    'sends nothing again after %s',
    async (problem) => {
      const { client, ends, send } = await forgetfulServer();

      send().fail(replyError(problem));
      await pass(1_000);

      expect([client.sent.length, ends.length]).toEqual([1, 1]);
    },
  );
});

describe('Call of a script with a packed reply', () => {
  const plain = { sha: 'sha', source: 'source' };
  const packable = { ...plain, packed: { sha: 'packed sha', source: 'packed source' } };

  /** A client with these methods. They mark the scripts that they run. */
  function clientWith(methods: readonly string[]): ManualClient {
    const client = new ManualClient();
    const all = {
      evalshaBuffer: (sha: string, ...rest: [number, ...string[]]) => client.evalsha(`bytes by ${sha}`, ...rest),
      evalBuffer: (source: string, ...rest: [number, ...string[]]) => client.eval(`bytes by ${source}`, ...rest),
    };
    return Object.assign(client, Object.fromEntries(Object.entries(all).filter(([name]) => methods.includes(name))));
  }

  it.each([
    ['the packed script on a client for bytes', ['evalshaBuffer', 'evalBuffer'], packable, 'bytes by packed '],
    ['the plain script on any other client', [], packable, ''],
    ['the plain script on a client with evalshaBuffer alone', ['evalshaBuffer'], packable, ''],
    ['the plain script on a client with evalBuffer alone', ['evalBuffer'], packable, ''],
    ['the plain script if there is no other', ['evalshaBuffer', 'evalBuffer'], plain, ''],
  ])('runs %s, by its text and by its SHA-1', async (_what, methods, script, prefix) => {
    const { client, send } = manualConnection(clientWith(methods));

    send({ script });
    send({ script });

    expect(client.sent.map((sent) => [sent.command, sent.script, ...sent.keys])).toEqual([
      ['eval', `${prefix}source`, KEY],
      ['evalsha', `${prefix}sha`, KEY],
    ]);
  });
});

describe('Events of a call', () => {
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

  it('report the duration, the checks and the outcome', async () => {
    const { send } = manualConnection();

    const answered = send({ groups: 3 });
    await pass(7);
    answered.reply(1);
    const failed = send({ groups: 0 });
    await pass(5);
    failed.fail(replyError('OOM'));
    manualConnection().send();
    await pass(60);

    expect(ended).toEqual([
      { duration: 7, groups: 3, outcome: 'answered' },
      { duration: 5, groups: 0, outcome: 'failed', problem: 'OOM' },
      { duration: 51, groups: 1, outcome: 'late', problem: 'no reply within 50 ms' },
    ]);
  });

  it('name the primary of a Cluster', async () => {
    const cluster = Object.assign(new ManualClient(), { isCluster: true, manualNodes: [new ManualNode(7_001)] });
    cluster.slots[keySlot(KEY)] = ['127.0.0.1:7001'];
    const { send } = manualConnection(cluster);

    send().reply(1);
    await pass(1);
    const slow = send();
    await pass(60);
    slow.reply(1);
    await pass(1);

    const primary = '127.0.0.1:7001';
    expect(ended).toMatchObject([
      { outcome: 'answered', primary },
      { outcome: 'late', primary },
    ]);
    expect(late).toMatchObject([{ primary }]);
  });

  it.each<[string, (client: ManualClient) => void, number]>([
    ['report a late reply', (client) => client.last.reply(1), 1],
    ['report a late error of the server', (client) => client.last.fail(replyError('OOM')), 1],
    ['do not report a late error of the connection', (client) => client.last.fail(connectionClosed), 0],
  ])('%s', async (_what, end, reports) => {
    const { client, send } = manualConnection();
    send({ groups: 5 });

    await pass(80);
    end(client);
    await pass(1);

    expect(late).toEqual(Array.from({ length: reports }, () => ({ duration: 80, groups: 5 })));
  });

  it('do not report a call that was not sent', async () => {
    const { send } = manualConnection(new ManualClient('end'));

    send();
    await pass(1_000);

    expect(ended).toEqual([]);
  });
});
