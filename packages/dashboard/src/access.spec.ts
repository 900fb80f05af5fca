import type { IncomingMessage } from 'node:http';
import { accessOf, isSameOrigin } from './access.js';

/** The members of a request that access depends on. */
function request(headers: Record<string, string> = {}, remoteAddress = '127.0.0.1', httpVersion = '1.1') {
  const all = { host: 'localhost:3000', ...headers };
  return { headers: all, httpVersion, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('accessOf, without authorize', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('lets %s in', async (address) => {
    expect(await accessOf(request({}, address), undefined)).toBe(true);
  });

  it.each(['10.0.0.1', '192.168.1.1', '1127.0.0.1', '::2', 'fe80::1', ''])('refuses %s', async (address) => {
    expect(await accessOf(request({}, address), undefined)).toBe(false);
  });

  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:3000', '[::1]', '[::1]:3000'])('knows the name %s', async (host) => {
    expect(await accessOf(request({ host }), undefined)).toBe(true);
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', ''])(
    'refuses the name %j, which a page of another site can have',
    async (host) => {
      expect(await accessOf(request({ host }), undefined)).toBe(false);
    },
  );

  it('refuses HTTP/1.0, which an nginx without settings speaks', async () => {
    expect(await accessOf(request({}, '127.0.0.1', '1.0'), undefined)).toBe(false);
  });

  it.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])(
    'refuses a request with %s',
    async (name) => {
      expect(await accessOf(request({ [name]: '' }), undefined)).toBe(false);
    },
  );
});

describe('accessOf, with authorize', () => {
  it('lets everybody in with true', async () => {
    expect(await accessOf(request({ host: 'evil.example' }, '10.0.0.1'), true)).toBe(true);
  });

  it.each<[answer: unknown, access: boolean | string]>([
    [true, true],
    ['ada', 'ada'],
    [false, false],
    ['', false],
    [undefined, false],
    [1, false],
    [{}, false],
  ])('makes of %j %j', async (answer, access) => {
    const authorize = () => Promise.resolve(answer as boolean);

    expect(await accessOf(request(), authorize)).toBe(access);
  });
});

describe('isSameOrigin', () => {
  it.each<[headers: Record<string, string>, isSame: boolean]>([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'http://localhost:3000' }, true],
    [{ origin: 'http://localhost' }, false],
    [{ origin: 'null' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }, false],
    [{}, true],
  ])('makes of %j %j', (headers, isSame) => {
    expect(isSameOrigin(request(headers))).toBe(isSame);
  });
});
