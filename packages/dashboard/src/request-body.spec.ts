import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readBody } from './request-body.js';

function request(headers: Record<string, string> = {}): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.headers = { 'content-type': 'application/json', ...headers };
  return message;
}

describe('readBody', () => {
  it('refuses a body that has not come within ten seconds', async () => {
    jest.useFakeTimers();
    const slow = request();
    slow.push('{"kind":');

    const refused = readBody(slow).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(10_000);
    jest.useRealTimers();

    expect(await refused).toMatchObject({ status: 408, message: 'send the body within 10 seconds' });
  });

  it('reads a character of UTF-8 that comes in two parts', async () => {
    const message = request();
    for (const part of [
      [0x5b, 0x22, 0xc3],
      [0xa9, 0x22, 0x5d],
    ])
      message.push(Buffer.from(part));
    message.push(null);

    expect(await readBody(message)).toEqual(['é']);
  });

  it('takes what a parser of the application has made of compressed bytes', async () => {
    const parsed = Object.assign(request({ 'content-encoding': 'gzip' }), { body: { kind: 'key' } });

    expect(await readBody(parsed)).toEqual({ kind: 'key' });
  });
});
