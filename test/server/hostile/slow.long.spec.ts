import { until } from '../../support/until.js';
import { within } from '../../support/within.js';
import { BOUND_MS, SERVED, withHostileService } from './hostile-service.js';
import {
  callHeaders,
  CONTINUATION,
  DATA,
  frame,
  headerBlock,
  HEADERS,
  RawConnection,
  RST_STREAM,
} from './http2-frames.js';
import { RIGHT_CALL } from './malformed-calls.js';

/** More than two of the looks, of which the service has one each minute. */
const LOOKS_MS = 240_000;

describe('The service ends in a bounded time', () => {
  const hostile = withHostileService();

  it.each<readonly [string, (port: { readonly http: number; readonly grpc: number }) => RawConnection]>([
    ['a connection that sends nothing, of HTTP', ({ http }) => new RawConnection(http)],
    ['a connection that sends nothing, of gRPC', ({ grpc }) => new RawConnection(grpc)],
    ['half a greeting of HTTP/2', ({ grpc }) => sending(new RawConnection(grpc), Buffer.from('PRI * HT'))],
    [
      'headers that do not end, of HTTP',
      ({ http }) => trickling(new RawConnection(http), 'POST /check HTTP/1.1\r\n', 'a: b\r\n'),
    ],
    [
      'a body that does not end, of HTTP',
      ({ http }) =>
        trickling(new RawConnection(http), 'POST /check HTTP/1.1\r\nhost: a\r\ncontent-length: 60000\r\n\r\n', ' '),
    ],
    [
      'chunks that do not end, of HTTP',
      ({ http }) =>
        trickling(
          new RawConnection(http),
          'POST /check HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n',
          '1\r\n \r\n',
        ),
    ],
    [
      'half a connection that waits for an answer, of HTTP',
      ({ http }) => half(new RawConnection(http), 'POST /check HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{'),
    ],
    ['headers that are continued for ever', ({ grpc }) => continued(RawConnection.http2(grpc))],
  ])('%s', async (_what, open) => {
    const connection = open(hostile.service);

    await within(BOUND_MS, () => connection.closed);
    connection.close();

    expect(await hostile.others()).toEqual(SERVED);
  });

  it(
    'a block of headers that is begun, when its client does not answer a ping',
    async () => {
      const connection = sending(RawConnection.http2(hostile.service.grpc), callHeaders(1, 0));

      await within(LOOKS_MS, () => connection.closed);
      connection.close();

      expect(await hostile.others()).toEqual(SERVED);
    },
    LOOKS_MS * 2,
  );

  it.each<readonly [string, readonly Buffer[]]>([
    ['a call without its message', []],
    ['a call with half a message', [frame(DATA, RIGHT_CALL.subarray(0, 9), { stream: 1 })]],
    [
      'a call with a message and no end',
      [frame(DATA, Buffer.concat([RIGHT_CALL, RIGHT_CALL.subarray(0, 3)]), { stream: 1 })],
    ],
  ])('%s', async (_what, frames) => {
    const connection = RawConnection.http2(hostile.service.grpc);

    connection.send(callHeaders(1), ...frames);
    // The answer to the call: headers with its status.
    await until(() => connection.got.includes(HEADERS) || connection.got.includes(RST_STREAM));
    connection.close();

    expect(await hostile.others()).toEqual(SERVED);
  });
});

function sending(connection: RawConnection, ...bytes: readonly Buffer[]): RawConnection {
  connection.send(...bytes);
  return connection;
}

function half(connection: RawConnection, text: string): RawConnection {
  connection.socket.end(text);
  return connection;
}

/** A client that sends a little from time to time, so that its connection is never idle. */
function trickling(connection: RawConnection, first: string, rest: string): RawConnection {
  connection.send(Buffer.from(first));
  const timer = setInterval(() => connection.send(Buffer.from(rest)), 50);
  void connection.closed.then(() => clearInterval(timer));
  return connection;
}

/** Headers whose block never ends. */
function continued(connection: RawConnection): RawConnection {
  connection.send(frame(HEADERS, headerBlock(), { stream: 1 }));
  const more = frame(CONTINUATION, Buffer.from([0, 1, 97, 1, 98]), { stream: 1 });
  const timer = setInterval(() => connection.send(...Array.from({ length: 100 }, () => more)), 20);
  void connection.closed.then(() => clearInterval(timer));
  return connection;
}
