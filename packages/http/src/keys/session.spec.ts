import { createHmac } from 'node:crypto';

import type { HttpRequest } from '../request/request.js';
import { bySession } from './session.js';

const ID = 'X5mV-0qJ_hT3bYw7';
const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };
const SESSION = { kind: 'session', parts: [ID] };

/** Signs as cookie-signature does, for both frameworks. */
const signed = (id: string) => `${id}.${createHmac('sha256', 'secret').update(id).digest('base64').replace(/=+$/, '')}`;
const ofExpress = (id: string) => `connect.sid=${encodeURIComponent(`s:${signed(id)}`)}`;
const ofFastify = (id: string) => `sessionId=${encodeURIComponent(signed(id))}`;

describe('bySession', () => {
  it.each<[string, HttpRequest]>([
    ['express-session', { sessionID: ID, session: { id: ID }, headers: { cookie: ofExpress(ID) } }],
    ['@fastify/session', { session: { sessionId: ID }, headers: { cookie: ofFastify(ID) } }],
    ['another library', { session: { id: ID }, headers: { cookie: `sid=${ID}` } }],
  ])('identifies by the session of %s', (_name, request) => {
    expect(bySession()({ ip: '192.0.2.1', ...request })).toEqual(SESSION);
  });

  it('finds the id among other cookies, also one that is encoded', () => {
    const id = 'a/b+c=;é';
    const cookie = `theme=dark; broken=%zz; empty=; alone; ${ofExpress(id)}; last=1`;

    expect(bySession()({ sessionID: id, headers: { cookie } })).toEqual({ kind: 'session', parts: [id] });
    expect(bySession()({ sessionID: '%zz', headers: { cookie } })).toEqual({ kind: 'session', parts: ['%zz'] });
  });

  it.each<[string, string | undefined]>([
    ['no cookie', undefined],
    ['an empty cookie', ''],
    ['the cookie of another session', ofExpress('another')],
    ['a value that only begins with the id', `sid=${ID}x`],
    ['a value that only ends with the id', `sid=x${ID}`],
    ['a cookie with the id as its name', `${ID}=1`],
    ['a signed id within another value', `sid=x.${signed(ID)}`],
  ])('falls back to byIp for %s, because the session is new', (_what, cookie) => {
    const request = { ip: '192.0.2.1', sessionID: ID, session: { id: ID }, headers: { cookie } };

    expect(bySession()(request)).toEqual(CLIENT);
  });

  it('decodes only cookies that can contain the id', () => {
    const decode = jest.spyOn(globalThis, 'decodeURIComponent');
    const cookie = `${'%;'.repeat(5_000)}${`x=${ID}%;`.repeat(100)}`;

    expect(bySession()({ ip: '192.0.2.1', sessionID: ID, headers: { cookie } })).toEqual(CLIENT);

    expect(decode.mock.calls.length).toBeLessThanOrEqual(10);
    decode.mockRestore();
  });

  it('does not confuse other texts of a session with its id', () => {
    const ofOneUser = { id: '7', theme: 'dark' };
    const cookie = `${ofFastify(ID)}; page=7`;

    expect(bySession()({ session: { ...ofOneUser, sessionId: ID }, headers: { cookie } })).toEqual(SESSION);
    expect(bySession()({ session: { ...ofOneUser, sessionId: 'x' }, sessionID: ID, headers: { cookie } })).toEqual(
      SESSION,
    );
  });

  it('identifies without headers, for limiter.reset and limiter.inspect', () => {
    const named: HttpRequest[] = [{ sessionID: ID }, { session: { id: ID } }, { session: { sessionId: ID } }];

    expect(named.map(bySession())).toEqual([SESSION, SESSION, SESSION]);
  });

  it.each<[string, HttpRequest]>([
    ['no session', {}],
    ['a session that is null', { session: null }],
    ['a session that is text', { session: ID }],
    ['a session without an id', { session: { cart: [] } }],
    ['an empty id', { sessionID: '' }],
    ['an id that is an array', { sessionID: [ID] }],
    ['an id that is an object', { session: { id: { toString: () => ID } } }],
    ['an id that is NaN', { session: { id: NaN } }],
    ['an id of 10 kB', { sessionID: 's'.repeat(10_000) }],
  ])('C45: falls back to byIp for %s', (_what, request) => {
    expect(bySession()({ ip: '192.0.2.1', ...request })).toEqual(CLIENT);
    expect(bySession()({ ip: '192.0.2.1', headers: { cookie: ofExpress(ID) }, ...request })).toEqual(CLIENT);
  });
});
