import { createHmac } from 'node:crypto';

import type { HttpRequest } from '../request.js';
import { bySession } from './session.js';

const ID = 'X5mV-0qJ_hT3bYw7';
const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };
const SESSION = { kind: 'session', parts: [ID] };

/** As cookie-signature does it, which both frameworks have. */
const signed = (id: string) => `${id}.${createHmac('sha256', 'secret').update(id).digest('base64').replace(/=+$/, '')}`;
const ofExpress = (id: string) => `connect.sid=${encodeURIComponent(`s:${signed(id)}`)}`;
const ofFastify = (id: string) => `sessionId=${encodeURIComponent(signed(id))}`;

describe('bySession', () => {
  it.each<[string, HttpRequest]>([
    ['express-session', { sessionID: ID, session: { id: ID }, headers: { cookie: ofExpress(ID) } }],
    ['@fastify/session', { session: { sessionId: ID }, headers: { cookie: ofFastify(ID) } }],
    ['others', { session: { id: ID }, headers: { cookie: `sid=${ID}` } }],
  ])('identifies by the session of %s', (_whose, request) => {
    expect(bySession()({ ip: '192.0.2.1', ...request })).toEqual(SESSION);
  });

  it('finds the id among other cookies, and one that has to be encoded', () => {
    const id = 'a/b+c=;é';
    const cookie = `theme=dark; broken=%zz; empty=; alone; ${ofExpress(id)}; last=1`;

    expect(bySession()({ sessionID: id, headers: { cookie } })).toEqual({ kind: 'session', parts: [id] });
    expect(bySession()({ sessionID: '%zz', headers: { cookie } })).toEqual({ kind: 'session', parts: ['%zz'] });
  });

  it.each<[string, string | undefined]>([
    ['no cookie', undefined],
    ['an empty one', ''],
    ['that of another session', ofExpress('another')],
    ['one whose value only begins like the id', `sid=${ID}x`],
    ['one whose value only ends like the id', `sid=x${ID}`],
    ['one that is called like the id', `${ID}=1`],
    ['an id that is signed within another one', `sid=x.${signed(ID)}`],
  ])('asks byIp where the request has brought %s: the session was made for it', (_what, cookie) => {
    const request = { ip: '192.0.2.1', sessionID: ID, session: { id: ID }, headers: { cookie } };

    expect(bySession()(request)).toEqual(CLIENT);
  });

  it('decodes no cookies that cannot hold the id, however many a client sends', () => {
    const decode = jest.spyOn(globalThis, 'decodeURIComponent');
    const cookie = `${'%;'.repeat(5_000)}${`x=${ID}%;`.repeat(100)}`;

    expect(bySession()({ ip: '192.0.2.1', sessionID: ID, headers: { cookie } })).toEqual(CLIENT);

    expect(decode.mock.calls.length).toBeLessThanOrEqual(10);
    decode.mockRestore();
  });

  it('takes no text that the application keeps in a session for its id', () => {
    const ofOneUser = { id: '7', theme: 'dark' };
    const cookie = `${ofFastify(ID)}; page=7`;

    expect(bySession()({ session: { ...ofOneUser, sessionId: ID }, headers: { cookie } })).toEqual(SESSION);
    expect(bySession()({ session: { ...ofOneUser, sessionId: 'x' }, sessionID: ID, headers: { cookie } })).toEqual(
      SESSION,
    );
  });

  it('takes the word of an operator, who has no cookie', () => {
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
  ])('C45: asks byIp where there is %s', (_what, request) => {
    expect(bySession()({ ip: '192.0.2.1', ...request })).toEqual(CLIENT);
    expect(bySession()({ ip: '192.0.2.1', headers: { cookie: ofExpress(ID) }, ...request })).toEqual(CLIENT);
  });

  it('asks what it is told to ask where there is no session', () => {
    expect(bySession({ otherwise: () => 'guest' })({ ip: '192.0.2.1' })).toBe('guest');
  });

  it.each<[unknown, object]>([
    [
      { otherwise: 'ip' },
      { code: 'OPTION_INVALID', option: 'otherwise', message: 'bySession: otherwise must be a function, got "ip"' },
    ],
    [{ name: 'sid' }, { code: 'OPTION_UNKNOWN', option: 'name', value: 'sid' }],
    ['sid', { code: 'OPTION_INVALID', option: 'options', message: 'bySession: options must be an object, got "sid"' }],
  ])('refuses the options %p', (options, error) => {
    expect(() => bySession(options as object)).toThrow(expect.objectContaining(error));
  });
});
