import { connect } from 'node:net';
import { until } from '../../support/until.js';
import { within } from '../../support/within.js';
import { framed } from './grpc-call.js';
import { BOUND_MS, SERVED, withHostileService } from './hostile-service.js';
import {
  ACK,
  callHeaders,
  DATA,
  END_STREAM,
  frame,
  PING,
  RawConnection,
  RST_STREAM,
  settings,
  WINDOW_UPDATE,
} from './http2-frames.js';
import { RIGHT_CALL } from './malformed-calls.js';

/** Frames of a connection that floods the service. */
const FLOOD = 200_000;

describe('The service bounds what it keeps of', () => {
  const hostile = withHostileService();

  it.each<readonly [string, Buffer]>([
    ['pings', frame(PING, Buffer.alloc(8))],
    ['settings', settings({ 4: 65_535 })],
    ['acknowledgements', frame(PING, Buffer.alloc(8), { flags: ACK })],
    ['windows', frame(WINDOW_UPDATE, Buffer.from([0, 0, 0, 1]))],
    ['frames of an unknown type', frame(77, Buffer.alloc(64))],
    ['empty data', frame(DATA, Buffer.alloc(0), { stream: 1 })],
  ])('a flood of %s by a client that reads nothing', async (_what, flood) => {
    const connection = RawConnection.http2(hostile.service.grpc);
    connection.socket.pause();
    connection.send(callHeaders(1));

    const block = Buffer.concat(Array.from({ length: 1_000 }, () => flood));
    for (let sent = 0; sent < FLOOD; sent += 1_000) {
      if (!(await within(BOUND_MS, () => connection.pour(block)).catch(() => false))) break;
    }
    expect(await hostile.others()).toEqual(SERVED);
    connection.close();

    expect(await hostile.others()).toEqual(SERVED);
  });

  it('calls that are reset as soon as they are sent', async () => {
    const connection = RawConnection.http2(hostile.service.grpc);

    for (let stream = 1; stream < FLOOD; stream += 2) {
      const pair = [callHeaders(stream), frame(RST_STREAM, Buffer.from([0, 0, 0, 8]), { stream })];
      if (!(await connection.pour(Buffer.concat(pair)))) break;
    }
    expect(await hostile.others()).toEqual(SERVED);
    connection.close();

    expect(await hostile.others()).toEqual(SERVED);
  });

  it('more calls than a connection may have', async () => {
    const connections = Array.from({ length: 50 }, () => RawConnection.http2(hostile.service.grpc));

    for (const connection of connections) {
      for (let stream = 1; stream < 6_000; stream += 2) connection.send(callHeaders(stream));
    }
    expect(await hostile.others()).toEqual(SERVED);
    for (const connection of connections) connection.close();

    expect(await hostile.others()).toEqual(SERVED);
  });

  it('answers that a client gives no room for, which it cuts when a call has had its time', async () => {
    // A window of 0: the headers of an answer come, and its message waits.
    const connections = Array.from({ length: 5 }, () => RawConnection.http2(hostile.service.grpc, { 4: 0 }));

    for (const connection of connections) {
      for (let stream = 1; stream < 2_000; stream += 2) {
        connection.send(callHeaders(stream), frame(DATA, RIGHT_CALL, { stream, flags: END_STREAM }));
      }
    }
    await until(async () => {
      expect(await hostile.others()).toEqual(SERVED);
      return connections.some(({ got }) => got.includes(RST_STREAM));
    });
    for (const connection of connections) connection.close();

    expect(await hostile.others()).toEqual(SERVED);
  });

  it('messages that do not end', async () => {
    const connections = Array.from({ length: 50 }, () => RawConnection.http2(hostile.service.grpc));
    const most = framed(Buffer.alloc(0), { length: 65_536 });

    for (const connection of connections) {
      const pieces: Buffer[] = [];
      for (let stream = 1; stream < 400; stream += 2) {
        pieces.push(callHeaders(stream), frame(DATA, Buffer.concat([most, Buffer.alloc(16_000)]), { stream }));
      }
      await within(BOUND_MS, () => connection.pour(Buffer.concat(pieces))).catch(() => false);
    }
    expect(await hostile.others()).toEqual(SERVED);
    for (const connection of connections) connection.close();

    expect(await hostile.others()).toEqual(SERVED);
  });

  it('serves others while a thousand connections do nothing, and after they have ended', async () => {
    for (const port of [hostile.service.http, hostile.service.grpc]) {
      const idle = await Promise.all(Array.from({ length: 1_000 }, () => connected(port)));

      expect(await hostile.others()).toEqual(SERVED);
      for (const socket of idle) socket.destroy();
    }

    expect(await hostile.others()).toEqual(SERVED);
  });

  it('serves others again as soon as more connections than it takes have been silent for its bound', async () => {
    for (const port of [hostile.service.http, hostile.service.grpc]) {
      const silent = await Promise.all(Array.from({ length: 1_100 }, () => connected(port)));

      await until(
        async () =>
          (await hostile.service
            .post('/check', { limiter: 'jobs', identities: { tenant: 'x' } })
            .catch(() => undefined)) !== undefined,
      );
      expect(await within(BOUND_MS, () => hostile.others())).toEqual(SERVED);
      for (const socket of silent) socket.destroy();
    }
  });
});

/** A connection that is open, or has been refused. */
async function connected(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return socket;
}
