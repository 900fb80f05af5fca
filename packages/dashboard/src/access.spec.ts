import type { IncomingMessage } from 'node:http';
import { accessOf, isSameOrigin } from './access.js';

/** The members of a request that access depends on. */
function request(headers: Record<string, string> = {}) {
  return { headers } as unknown as IncomingMessage;
}

describe('accessOf', () => {
  it('lets everybody in with true', async () => {
    expect(await accessOf(request(), true)).toBe(true);
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
    [{ origin: `http://${'x'.repeat(600)}` }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }, false],
    [{}, true],
  ])('makes of %j %j, over HTTP/1 and HTTP/2', (headers, isSame) => {
    const answers = ['host', ':authority'].map((name) =>
      isSameOrigin(request({ [name]: 'localhost:3000', ...headers })),
    );

    expect(answers).toEqual([isSame, isSame]);
  });

  it('makes of an origin without a host to compare it with false', () => {
    expect(isSameOrigin(request({ origin: 'null' }))).toBe(false);
  });
});
