import { createServer } from 'node:http';
import { io as connect, type Socket } from 'socket.io-client';
import { memoryStore, type Store } from '@sluice/core';
import { fakeClock } from '@sluice/testing';
import { createIo } from '../../../examples/recipes/socket-io.js';
import { listen } from '../../support/site.js';

describe('the recipe socket-io', () => {
  const sockets: Socket[] = [];
  let io: ReturnType<typeof createIo>;
  let store: Store;
  let url: string;

  const open = (options: object = {}) => {
    const socket = connect(url, { forceNew: true, reconnection: false, ...options });
    sockets.push(socket);
    return socket;
  };
  const opened = async (options?: object) => {
    const socket = open(options);
    return new Promise<Socket | undefined>((resolve) => {
      socket.once('connect', () => resolve(socket)).once('connect_error', () => resolve(undefined));
    });
  };
  const say = (socket: Socket, text: string) => socket.emitWithAck('say', text) as Promise<Record<string, unknown>>;

  /** Time does not move. */
  beforeEach(async () => {
    const server = createServer();
    store = memoryStore({ clock: fakeClock() });
    io = createIo(store).attach(server);
    url = `http://127.0.0.1:${((await listen(server)) as { port: number }).port}`;
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.close();
    await io.close();
  });

  it('answers a denied event by its acknowledgement', async () => {
    const socket = (await opened({ transports: ['websocket'] }))!;

    const answers = await Promise.all(Array.from({ length: 21 }, (_, index) => say(socket, String(index))));

    expect(answers.filter(({ said }) => said !== undefined)).toHaveLength(20);
    expect(answers.at(-1)).toEqual({ error: 'rate-limited', retryAfter: 1 });
  });

  it('says to a denied connection how long to wait', async () => {
    for (let count = 0; count < 10; count += 1) await fetch(`${url}/socket.io/?EIO=4&transport=polling`);

    const denied = await fetch(`${url}/socket.io/?EIO=4&transport=polling`);

    expect(denied.status).toBe(403);
    expect(await denied.json()).toEqual({ code: 4, message: 'Retry in 60 s.' });
  });

  it('continues for a client that sends an event without its arguments', async () => {
    const socket = (await opened({ transports: ['websocket'] }))!;

    socket.emit('say').emit('say', 'text').emit('say', null, 'no function');

    expect(await say(socket, 'text')).toEqual({ said: 'text' });
  });

  it('refuses connections and drops events after its store is closed', async () => {
    const socket = (await opened({ transports: ['websocket'] }))!;
    await store.close();

    const answered = socket.timeout(200).emitWithAck('say', 'text');

    await expect(answered).rejects.toThrow('timed out');
    expect((await fetch(`${url}/socket.io/?EIO=4&transport=polling`)).status).toBe(403);
  });

  it('admits ten connections of a client that forges its address, changes its transport and connects at the same time', async () => {
    const tries = Array.from({ length: 14 }, (_, index) =>
      opened({
        transports: [index % 2 === 0 ? 'websocket' : 'polling'],
        extraHeaders: { 'X-Forwarded-For': `203.0.113.${index}` },
      }),
    );
    const forged = await Promise.all(
      ['', 'made-up'].map((sid) => fetch(`${url}/socket.io/?EIO=4&transport=polling&sid=${sid}`)),
    );

    const connected = (await Promise.all(tries)).filter((socket) => socket !== undefined);

    expect(connected.length + forged.filter(({ ok }) => ok).length).toBe(10);
  });

  it('admits twenty events of a client that reconnects and uses several sockets', async () => {
    const admitted: unknown[] = [];
    for (let round = 0; round < 4; round += 1) {
      const socket = (await opened({
        transports: ['websocket'],
        extraHeaders: { 'X-Real-IP': `203.0.113.${round}` },
      }))!;
      const answers = await Promise.all(Array.from({ length: 15 }, (_, index) => say(socket, String(index))));
      admitted.push(...answers.filter(({ said }) => said !== undefined));
      socket.close();
    }

    expect(admitted).toHaveLength(20);
  });
});
