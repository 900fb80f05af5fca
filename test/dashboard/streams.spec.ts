import { once } from 'node:events';
import { createServer, get, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { EventStreams } from '../../packages/dashboard/src/event-streams.js';
import type { HttpFailure } from '../../packages/dashboard/src/http-failure.js';
import { closeServer, listen, type Address } from '../support/site.js';
import { until } from '../support/until.js';

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

describe('EventStreams', () => {
  let server: Server;
  let address: Address;
  let streams: EventStreams;
  let sizes: number[];
  let now: number;

  beforeEach(async () => {
    [sizes, now] = [[], 0];
    streams = new EventStreams(
      () => now,
      (size) => sizes.push(size),
    );
    server = createServer((_request, response) => {
      try {
        streams.open(response);
      } catch (error) {
        response.writeHead((error as HttpFailure).status).end();
      }
    });
    address = await listen(server);
  });

  afterEach(async () => {
    streams.close();
    await closeServer(server);
  });

  const open = async (): Promise<{ request: ClientRequest; response: IncomingMessage }> => {
    const request = get({ ...address, agent: false });
    // The test or the server ends it.
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    return { request, response };
  };

  it('serves ten pages, and another one when one has closed', async () => {
    const pages = [];
    for (let count = 0; count < 10; count += 1) pages.push(await open());

    const refused = await open();
    pages[0]!.request.destroy();
    await until(() => sizes.at(-1) === 9);
    const admitted = await open();

    expect([refused.response.statusCode, admitted.response.statusCode]).toEqual([503, 200]);
    expect(sizes).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 10]);
  });

  it('leaves out events for a page that reads slowly, until it reads again', async () => {
    const { response } = await open();
    const sent = 500;
    const text = 'x'.repeat(100_000);

    // More than the buffers of the system hold.
    for (let second = 0; second < sent; second += 1) {
      streams.send('tick', { text }, second);
      await setImmediate();
    }
    let received = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    await until(() => {
      streams.send('health', { isLast: true });
      return received.includes('isLast');
    });

    const ticks = received.match(/^event: tick$/gm)!.length;
    expect(ticks).toBeGreaterThan(0);
    expect(ticks).toBeLessThan(sent);
    // None is cut.
    expect(received.match(/^data: .+$/gm)!.every((line) => line.endsWith('}'))).toBe(true);
  });

  it('gives the place of a page that is open for a minute to another, also if it does not read', async () => {
    for (let count = 0; count < 10; count += 1) await open();

    now = 60_000;
    streams.renew();
    streams.renew();
    const admitted = await open();

    expect(admitted.response.statusCode).toBe(200);
  });

  /** Opens a page with two requests for events in one packet: Node answers the second when the first has ended. */
  const pipeline = async (): Promise<Socket> => {
    const socket = connect(address as NetConnectOpts).on('error', () => undefined);
    const request = 'GET / HTTP/1.1\r\nHost: dashboard\r\n\r\n';
    socket.write(request + request);
    await until(() => sizes.at(-1) === 2);
    return socket;
  };

  it('writes to no page after its end, also if it has pipelined its requests and left', async () => {
    const errors: unknown[] = [];
    server.prependListener('request', (_request, response) => void response.on('error', (each) => errors.push(each)));
    const socket = await pipeline();
    socket.destroy();
    await until(async () => (await connections(server)) === 0);

    streams.close();
    streams.send('tick', {});
    streams.close();
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();

    expect(errors).toEqual([]);
    expect(sizes.at(-1)).toBe(0);
  });

  it('gives the places of a page that has pipelined its requests and left to others', async () => {
    const socket = await pipeline();
    socket.destroy();
    await until(async () => (await connections(server)) === 0);

    streams.send('tick', {});

    expect(sizes.at(-1)).toBe(0);
  });

  it('ends all pages, and serves none after', async () => {
    const { response } = await open();
    response.resume();

    streams.close();
    await once(response, 'end');

    expect((await open()).response.statusCode).toBe(503);
    expect(sizes).toEqual([1, 0]);
  });
});
