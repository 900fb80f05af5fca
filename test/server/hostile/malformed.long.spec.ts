import { connect } from 'node:net';
import { within } from '../../support/within.js';
import { callWith } from './grpc-call.js';
import { BOUND_MS, SERVED, withHostileService } from './hostile-service.js';
import { MALFORMED_CALLS } from './malformed-calls.js';
import { MALFORMED_REQUESTS } from './malformed-requests.js';

describe('The service', () => {
  const hostile = withHostileService();

  it.each(Object.entries(MALFORMED_CALLS))('refuses a call with %s', async (_what, { body, headers, code, says }) => {
    const answer = await within(BOUND_MS, () => callWith(hostile.service.grpc, body, headers));

    expect([answer.status ?? answer.http, answer]).toEqual([code, answer]);
    expect(answer.message ?? '').toMatch(says ?? '');
    expect(await hostile.others()).toEqual(SERVED);
  });

  it.each(Object.entries(MALFORMED_REQUESTS))('refuses a request with %s', async (_what, { text, status, says }) => {
    const answer = await within(BOUND_MS, () => textOf(hostile.service.http, text));

    const [, given] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
    expect([given === undefined ? undefined : Number(given), answer]).toEqual([status, answer]);
    expect(answer).toMatch(says ?? '');
    expect(await hostile.others()).toEqual(SERVED);
  });
});

/** Sends bytes, and reads until the connection is closed. */
function textOf(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
    });
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      // The answer is whole: a connection that is kept would stay open.
      const [head, body] = text.split('\r\n\r\n', 2) as [string, string?];
      const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
      const isWhole = length === undefined ? text.endsWith('\r\n0\r\n\r\n') : Number(length) <= (body ?? '').length;
      if (isWhole) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}
