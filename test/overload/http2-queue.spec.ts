import { once } from 'node:events';
import {
  connect,
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createGate } from '@sluice/http';
import { shedder } from '@sluice/overload';
import { deadlineOf, queueDelay } from '@sluice/overload/queues';
import { until } from '../support/until.js';

describe('a queue behind a gate over HTTP/2', () => {
  // On a busy machine a queue stands for longer than the usual target.
  const database = queueDelay('database', { max: 1, target: '10s' });
  const asked: string[] = [];
  const back: (() => void)[] = [];
  const reasons: unknown[] = [];
  let server: Http2Server;

  beforeAll(async () => {
    const gate = createGate<Http2ServerRequest>({ limit: 100, window: '1m', shed: shedder({ features: [database] }) });
    const handle = async (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const admission = await gate.admit(request, response);
      if (admission.state !== 'admitted') return;
      const { url } = request;
      deadlineOf().addEventListener('abort', () => reasons.push(`${url} has ended`));
      await database
        .wait(() => {
          asked.push(url);
          return new Promise<void>((resolve) => back.push(resolve));
        })
        .then(
          () => response.end('served'),
          (error: Error) => reasons.push(`${url} ${error.name}`),
        );
    };
    server = createServer((...exchange) => void handle(...exchange));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('takes nothing for a stream that its client has reset, while others of the connection go on', async () => {
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const streams = ['/first', '/left', '/last'].map((path) => session.request({ ':path': path }));
    await until(() => database.waiting === 2);

    streams[1]!.close(constants.NGHTTP2_CANCEL);
    await until(() => database.waiting === 1);
    back.shift()!();
    await until(() => asked.length === 2);
    back.shift()!();
    const ended = Promise.all([streams[0]!, streams[2]!].map((stream) => once(stream.resume(), 'end')));
    await ended;
    session.close();

    expect(asked).toEqual(['/first', '/last']);
    expect(new Set(reasons.slice(0, 2))).toEqual(new Set(['/left AbortError', '/left has ended']));
  });
});
