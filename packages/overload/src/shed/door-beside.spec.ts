import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2';
import { connect, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { subscribe } from '../../../core/src/events/events.js';
import { createGate, type Gate } from '../../../http/src/gate/gate.js';
import type { HttpRequest } from '../../../http/src/request/request.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { shedder } from './shedder.js';
import { type DoorEvent, doorEvent } from './shed-events.js';

/** New connections, which queue in the kernel. */
const NEW = 60;
/** Requests of connections that are open. */
const OPEN = 5;

// A busy machine delays the event loop: no delay is overload here.
const gate: Gate<HttpRequest> = createGate<HttpRequest>({
  name: 'all',
  limit: 1_000,
  window: '1h',
  key: () => 'all',
  store: memoryStore(),
  shed: shedder({ target: '10s' }),
});
const worked: string[] = [];
const released: DoorEvent[] = [];
const held = () => released.reduce((sum, event) => sum + event.held, 0);

interface Answer {
  end(): unknown;
}

function answer(request: IncomingMessage, response: Answer): void {
  void Promise.resolve(gate.admit(request, response as never)).then(({ state }) => {
    if (state === 'admitted') worked.push(String(request.url));
    response.end();
  });
}

async function listening(server: NetServer): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

function rush(port: number): readonly Socket[] {
  return Array.from({ length: NEW }, (_, client) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET /new/${client} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    return socket.resume();
  });
}

async function ended(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(sockets.map((socket) => (socket.closed ? undefined : once(socket, 'close'))));
}

describe('a request of a connection that is open', () => {
  let end: () => void;
  let server: Server;
  let port: number;

  beforeEach(async () => {
    worked.length = 0;
    released.length = 0;
    end = subscribe(doorEvent, (event) => released.push(event));
    server = createServer((request: IncomingMessage, response: ServerResponse) => answer(request, response));
    port = await listening(server);
    // However busy the machine is, nobody is let in because of the time.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  });

  afterEach(() => {
    jest.restoreAllMocks();
    end();
    server.close();
  });

  it('is held beside a queue of new connections, over HTTP/1.1, and answered with them', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: OPEN });
    const ask = async (path: string) => {
      const [response] = (await once(get({ port, path, agent }), 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return response.statusCode;
    };
    await Promise.all(Array.from({ length: OPEN }, () => ask('/open')));
    let answers: Promise<readonly (number | undefined)[]> | undefined;
    let accepted = 0;
    server.on('connection', () => {
      accepted += 1;
      if (accepted === 5) answers = Promise.all(Array.from({ length: OPEN }, (_, each) => ask(`/kept/${each}`)));
    });
    released.length = 0;
    worked.length = 0;

    await ended(rush(port));

    expect(await answers).toEqual(new Array(OPEN).fill(200));
    expect(new Set(worked).size).toBe(NEW + OPEN);
    // They connect to nothing, and are let in with those that do.
    expect([accepted, released.length]).toEqual([NEW, 1]);
    expect(worked.slice(-held()).filter((path) => path.startsWith('/kept'))).toHaveLength(OPEN);
    agent.destroy();
  });

  it('is not held while nobody connects', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let request = 0; request < 50; request += 1) {
      const [response] = (await once(get({ port, path: '/open', agent }), 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
    }
    agent.destroy();

    expect([worked.length, held()]).toEqual([50, 0]);
  });

  it('is held as a stream of HTTP/2 beside a queue, and not worked on when it was reset meanwhile', async () => {
    const multiplexed = createHttp2Server(answer as never);
    const session = connectHttp2(`http://127.0.0.1:${await listening(multiplexed)}`);
    await once(session, 'remoteSettings');
    let accepted = 0;
    const streams: ReturnType<typeof session.request>[] = [];
    server.on('connection', () => {
      accepted += 1;
      if (accepted === 5) {
        for (let each = 0; each < OPEN; each += 1)
          streams.push(session.request({ ':path': `/stream/${each}` }).resume());
      }
      if (accepted === 20) streams[0]!.close(constants.NGHTTP2_CANCEL);
    });

    const clients = rush(port);
    await once(server, 'connection');
    while (streams.length === 0) await once(server, 'connection');
    const statuses = Promise.all(
      streams.slice(1).map(async (stream) => {
        const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
        return headers[':status'];
      }),
    );
    await ended(clients);

    expect(await statuses).toEqual(new Array(OPEN - 1).fill(200));
    expect(worked.filter((path) => path.startsWith('/stream')).toSorted()).toEqual(
      Array.from({ length: OPEN - 1 }, (_, each) => `/stream/${each + 1}`),
    );
    expect(released.map(({ left }) => left)).toEqual([1]);
    session.close();
    multiplexed.close();
  });
});
