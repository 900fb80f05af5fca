import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { exchange } from '../../../../test/support/exchange.js';
import { subscribe } from '../../../core/src/events/events.js';
import { createGate, type Gate } from '../../../http/src/gate/gate.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { shedder } from './shedder.js';
import type { ShedderOptions } from './shedder-options.js';
import { type DoorEvent, doorEvent } from './shed-events.js';

const CLIENTS = 40;
/** A busy machine delays the event loop: no delay is overload. */
const CALM = { target: '10s' } as const;
const options = { name: 'all', limit: 1_000, window: '1h', key: () => 'all' } as const;

/** A server whose gate has a shedder on the event loop of this process. */
async function openServer(shed: ShedderOptions<IncomingMessage> = CALM) {
  const gate: Gate<IncomingMessage> = createGate({ ...options, store: memoryStore(), shed: shedder(shed) });
  const worked: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void Promise.resolve(gate.admit(request, response)).then(({ state }) => {
      if (state === 'admitted') worked.push(request.url!);
      response.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { gate, server, worked };
}

/** Connections of their own: all wait in the kernel before the first is accepted. */
function rush(server: Server, path: (client: number) => string): readonly Socket[] {
  const { port } = server.address() as AddressInfo;
  return Array.from({ length: CLIENTS }, (_, client) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET ${path(client)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    return socket.resume();
  });
}

async function ended(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(sockets.map((socket) => (socket.closed ? undefined : once(socket, 'close'))));
}

describe('a gate', () => {
  const accepted = channel('net.server.socket');
  const admit = async (shed?: ShedderOptions<IncomingMessage>) => {
    const store = memoryStore();
    const gate: Gate<IncomingMessage> = createGate({ ...options, store, ...(shed && { shed: shedder(shed) }) });
    const { request, response } = exchange();
    await gate.admit(request, response);
    await store.close();
  };

  beforeEach(() => jest.useFakeTimers({ doNotFake: ['performance'] }));

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('subscribes to the connections of the process at its first request, until none has come for 10 s', async () => {
    const subscribed = jest.spyOn(accepted, 'subscribe').mockReturnValue();
    const unsubscribed = jest.spyOn(accepted, 'unsubscribe').mockReturnValue();

    await admit({});
    await admit({});
    const before = unsubscribed.mock.calls.length;
    jest.advanceTimersByTime(20_000);

    expect([subscribed.mock.calls.length, before, unsubscribed.mock.calls.length]).toEqual([1, 0, 1]);
  });

  it('subscribes to none without a shedder, nor with one that is off', async () => {
    const subscribed = jest.spyOn(accepted, 'subscribe');

    await admit();
    await admit({ mode: 'off' });

    expect(subscribed).not.toHaveBeenCalled();
  });
});

describe('DoorWatch', () => {
  const released: DoorEvent[] = [];
  const sum = (name: 'held' | 'left') => released.reduce((total, event) => total + event[name], 0);
  let end: () => void;

  beforeEach(() => {
    released.length = 0;
    end = subscribe(doorEvent, (event) => released.push(event));
  });

  afterEach(() => {
    jest.restoreAllMocks();
    end();
  });

  it('holds the requests of all connections that wait in the kernel but the first ones, and lets all in', async () => {
    const { server, worked } = await openServer();

    await ended(rush(server, (client) => `/${client}`));
    server.close();

    expect(worked).toHaveLength(CLIENTS);
    expect(sum('held')).toBeGreaterThanOrEqual(CLIENTS - 3);
  });

  it('does not work for a client that has left, and charges nothing for it', async () => {
    // However busy the machine is, nobody is let in because of the time.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const { gate, server, worked } = await openServer();
    const leaving = new Set(Array.from({ length: 10 }, (_, client) => 20 + client));
    let accepted = 0;
    server.on('connection', () => {
      if (leaving.has(accepted)) clients[accepted]!.destroy();
      accepted += 1;
    });
    const clients = rush(server, (client) => `/${client}`);

    await ended(clients);
    await new Promise((resolve) => server.close(resolve));
    const { outcomes } = await gate.limiter.peek(exchange().request);

    expect(sum('left')).toBe(leaving.size);
    expect(worked).toHaveLength(CLIENTS - leaving.size);
    expect(outcomes[0]!.remaining).toBe(1_000 - worked.length);
  });

  it('lets in critical requests before the others that it holds', async () => {
    const priority: ShedderOptions<IncomingMessage>['priority'] = ({ url }) =>
      url!.startsWith('/critical') ? 'critical' : 'sheddable';
    const { server, worked } = await openServer({ ...CALM, priority });

    await ended(rush(server, (client) => (client % 4 === 3 ? '/critical' : '/other')));
    server.close();

    // A machine that is busy for 100 ms gets them in several lots.
    const first = worked.slice(-released.at(-1)!.held);
    expect(first).toEqual(first.toSorted());
  });

  it('keeps the async context of a request, also for functions that are called after it was held', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const key = () => {
      seen.push(context.getStore());
      return 'all';
    };
    const gate: Gate<IncomingMessage> = createGate({ ...options, key, store: memoryStore(), shed: shedder(CALM) });
    const server = createServer((request, response) => {
      void context.run(request.url!, async () => {
        await gate.admit(request, response);
        response.end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');

    await ended(rush(server, (client) => `/${client}`));
    server.close();

    expect(sum('held')).toBeGreaterThan(0);
    expect(new Set(seen).size).toBe(CLIENTS);
  });
});
