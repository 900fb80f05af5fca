import { freshModules } from '../../../../test/support/fresh-modules.js';
import { clientOf, clientOfNodeRedis, isNodeRedis, type NodeRedisClient } from './client-of.js';

/** A client that records what it sends. */
function recorder(more: object = {}) {
  const sent: unknown[][] = [];
  const listeners: string[] = [];
  const client = {
    isOpen: true,
    isReady: true,
    options: { disableOfflineQueue: true },
    sendCommand: async (...args: unknown[]) => void sent.push(args),
    on: (event: string) => void listeners.push(event),
    ...more,
  };
  return { client: client as unknown as NodeRedisClient & { isReady: boolean }, sent, listeners };
}

describe('clientOf', () => {
  it('sends texts, and the first key', async () => {
    const sent: unknown[] = [];
    const client = clientOf({ send: async (...args) => void sent.push(args) });

    await client.evalsha('abc', 2, 'one', 'two', 3);
    await client.eval('return 1', 0);

    expect(sent).toEqual([
      [['EVALSHA', 'abc', '2', 'one', 'two', '3'], 'one'],
      [['EVAL', 'return 1', '0'], undefined],
    ]);
    expect(client).not.toHaveProperty('on');
    expect([client.status, client.isCluster]).toEqual([undefined, false]);
  });

  it('reports the errors of GLIDE as the server has sent them', async () => {
    const messages = [
      'An error was signalled by the server: - NoScriptError: No matching script. Please use EVAL.',
      'An error was signalled by the server: - ResponseError: NOPERM this user has no permissions',
      'WRONGTYPE: Operation against a key',
      'the connection was lost',
    ];
    const send = async () => Promise.reject(new Error(messages.shift()));
    const client = clientOf({ send });

    await expect(client.evalsha('abc', 0)).rejects.toMatchObject({
      name: 'ReplyError',
      message: 'NOSCRIPT No matching script. Please use EVAL.',
    });
    await expect(client.evalsha('abc', 0)).rejects.toThrow(/^NOPERM this user/);
    await expect(client.evalsha('abc', 0)).rejects.toThrow(/^WRONGTYPE Operation/);
    await expect(client.evalsha('abc', 0)).rejects.toMatchObject({ name: 'Error', message: 'the connection was lost' });
  });

  it.each<[string, unknown, string]>([
    ['an empty object', {}, 'undefined'],
    ['a URL', 'redis://ada:secret@127.0.0.1', 'undefined'],
    ['a promise', Promise.resolve({ send: async () => undefined }), 'undefined'],
    ['undefined', undefined, 'undefined'],
    ['a text as send', { send: 'redis://ada:secret@127.0.0.1' }, 'text'],
  ])('throws for %s', (_case, sender, got) => {
    expect(() => clientOf(sender as never)).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        code: 'OPTION_INVALID',
        option: 'send',
        value: undefined,
        message: `clientOf: send must be a function of the command, got ${got}: write clientOf({ send: (command) => … }), or redisStore({ url }) for a URL`,
      }),
    );
  });

  it('replaces its connection by a member of the sender', () => {
    const resetConnection = jest.fn();
    const send = async () => undefined;

    clientOf({ send, resetConnection }).resetConnection!('127.0.0.1:7001');

    expect(resetConnection.mock.calls).toEqual([[]]);
    expect(clientOf({ send })).not.toHaveProperty('resetConnection');
  });

  it('is ready while the sender is', () => {
    let isReady = false;
    const client = clientOf({ send: async () => undefined, isReady: () => isReady });
    const states = [false, true, false].map((each) => {
      isReady = each;
      return client.status;
    });

    expect(states).toEqual(['unready', 'ready', 'reconnecting']);
  });
});

describe('a client of node-redis', () => {
  it('is known by its members', () => {
    const ioredis = { evalsha: async () => undefined, status: 'ready', on: () => undefined };

    expect([recorder().client, ioredis, { url: 'redis://127.0.0.1' }, undefined].map(isNodeRedis)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('gets the key of a command if it is one of a Cluster', async () => {
    const alone = recorder();
    const cluster = recorder({ masters: [], isReady: undefined });

    await clientOfNodeRedis(alone.client).evalsha('abc', 1, 'one');
    await clientOfNodeRedis(cluster.client).evalsha('abc', 1, 'one');

    expect([alone.sent, cluster.sent]).toEqual([
      [[['EVALSHA', 'abc', '1', 'one']]],
      [['one', false, ['EVALSHA', 'abc', '1', 'one']]],
    ]);
    expect(clientOfNodeRedis(cluster.client)).toMatchObject({ isCluster: true, status: 'ready' });
  });

  it.each<[string, object]>([
    ['one server', {}],
    ['a Cluster', { masters: [], isReady: undefined }],
  ])('waits to be connected until it was open: %s', (_what, more) => {
    const { client } = recorder({ isOpen: false, ...more, ...('isReady' in more ? {} : { isReady: false }) });
    const made = clientOfNodeRedis(client);
    const states = [made.status];

    for (const isOpen of [true, false]) {
      Object.assign(client, { isOpen });
      states.push(made.status);
    }

    expect(states).toEqual(['wait', 'masters' in more ? 'ready' : 'reconnecting', 'reconnecting']);
  });

  it('is wrapped once', () => {
    const { client, listeners } = recorder();
    const made = clientOfNodeRedis(client);
    for (const event of ['ready', 'close', 'end']) made.on!(event, () => undefined);

    expect(clientOfNodeRedis(client)).toBe(made);
    expect(listeners).toEqual(['ready', 'reconnecting', 'end']);
  });

  it.each<[string, object, boolean]>([
    ['and of its queue', { options: {} }, true],
    ['alone without a queue', {}, false],
    ['alone on a Cluster, whose queue is of its nodes', { options: {}, masters: [] }, false],
  ])('is warned of silent connections, %s', async (_case, more, isQueueNamed) => {
    freshModules();
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { clientOfNodeRedis: wrap } = await import('./client-of.js');

    for (let client = 0; client < 2; client += 1) wrap(recorder(more).client);
    const messages = warnings.mock.calls.map(([message]) => String(message));
    warnings.mockRestore();

    expect(messages).toEqual([expect.stringContaining('it keeps a silent connection for minutes: write redisStore(')]);
    expect(messages[0]!.includes('set disableOfflineQueue: true')).toBe(isQueueNamed);
  });
});
