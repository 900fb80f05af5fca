import type { HttpRequest } from '../request.js';
import { byJwtSubject, type JwtSubjectOptions } from './jwt-subject.js';

const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };
const ADA = { kind: 'jwt-subject', parts: ['https://id.example', 'ada'] };
const claims = { iss: 'https://id.example', sub: 'ada', aud: 'api' };

describe('byJwtSubject', () => {
  it.each<[string, HttpRequest]>([
    ['express-jwt', { auth: claims }],
    [
      'express-jwt, told to give the whole token',
      { auth: { header: { alg: 'RS256' }, payload: claims, signature: 's' } },
    ],
    ['express-oauth2-jwt-bearer', { auth: { header: { alg: 'RS256' }, payload: claims, token: 'e.y.J' } }],
    ['passport', { user: claims }],
    ['@fastify/jwt', { user: { ...claims, iat: 1_893_456_000 } }],
    ['@fastify/jwt, told to give the whole token', { user: { header: {}, payload: claims, signature: 's' } }],
  ])('identifies by issuer and subject that %s leaves', (_who, request) => {
    expect(byJwtSubject()({ ip: '192.0.2.1', ...request })).toEqual(ADA);
  });

  it('identifies by the claims, or the result of jose, that a function gives', async () => {
    const verified = new WeakMap<object, unknown>();
    const request = { ip: '192.0.2.1' };
    verified.set(request, { payload: claims, protectedHeader: { alg: 'RS256' } });
    const from = (subject: HttpRequest) => verified.get(subject);

    expect(byJwtSubject({ from })(request)).toEqual(ADA);
    expect(byJwtSubject({ from })({ ip: '192.0.2.1' })).toEqual(CLIENT);
    await expect(byJwtSubject({ from: async () => claims })(request)).resolves.toEqual(ADA);
    await expect(byJwtSubject({ from: async () => undefined })(request)).resolves.toEqual(CLIENT);
  });

  it('reads nothing else where there is a function', () => {
    expect(byJwtSubject({ from: () => undefined })({ ip: '192.0.2.1', auth: claims, user: claims })).toEqual(CLIENT);
  });

  it('tells apart subjects of one name that two issuers have, and of none', () => {
    const issuers = ['https://id.example', 'https://other.example', undefined, null, ''];

    const keys = issuers.map((iss) => byJwtSubject()({ auth: { iss, sub: 'ada' } }));

    expect(keys.map((key) => (key as { parts: readonly string[] }).parts)).toEqual([
      ['https://id.example', 'ada'],
      ['https://other.example', 'ada'],
      ['', 'ada'],
      ['', 'ada'],
      ['', 'ada'],
    ]);
  });

  it('is the same for every token of a subject', () => {
    const [first, renewed] = ['one', 'two'].map((jti, iat) => byJwtSubject()({ auth: { ...claims, jti, iat } }));

    expect(renewed).toEqual(first);
  });

  it('takes a subject that is a whole number for its text', () => {
    expect(byJwtSubject()({ user: { sub: 17 } })).toEqual(byJwtSubject()({ user: { sub: '17' } }));
  });

  it('takes the claims of user where auth has no subject', () => {
    expect(byJwtSubject()({ auth: { scope: 'read' }, user: claims })).toEqual(ADA);
  });

  it('takes the subject of a token, and none that a claim called payload has', () => {
    expect(byJwtSubject()({ auth: { ...claims, payload: { ...claims, sub: 'mallory' } } })).toEqual(ADA);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', 'ada'],
    ['an array', ['ada']],
    ['claims without a subject', { iss: 'https://id.example' }],
    ['an empty subject', { sub: '' }],
    ['a subject that is null', { sub: null }],
    ['a subject that is an array', { sub: ['ada'] }],
    ['a subject that is an object', { sub: { toString: () => 'ada' } }],
    ['a subject that is NaN', { sub: NaN }],
    ['a subject of 513 characters', { sub: 'a'.repeat(513) }],
    ['an issuer that is an array', { iss: ['https://id.example'], sub: 'ada' }],
    ['an issuer that is an object', { iss: {}, sub: 'ada' }],
    ['an issuer of 513 characters', { iss: 'i'.repeat(513), sub: 'ada' }],
    ['a payload that is text', { payload: 'ada' }],
    ['a payload without a subject', { payload: {} }],
  ])('C45: asks byIp where the request has %s', (_what, left) => {
    expect(byJwtSubject()({ ip: '192.0.2.1', auth: left })).toEqual(CLIENT);
    expect(byJwtSubject()({ ip: '192.0.2.1', user: left })).toEqual(CLIENT);
    expect(byJwtSubject({ from: () => left })({ ip: '192.0.2.1' })).toEqual(CLIENT);
  });

  it('asks what it is told to ask where there is no subject', () => {
    expect(byJwtSubject({ otherwise: () => 'anonymous' })({ ip: '192.0.2.1' })).toBe('anonymous');
  });

  it('never reads a token: one that nobody has verified changes nothing', () => {
    const keys = ['ada', 'bob', 'mallory'].map((sub) =>
      byJwtSubject()({ ip: '192.0.2.1', headers: { authorization: `Bearer ${unverified(sub)}` } }),
    );

    expect(keys).toEqual([CLIENT, CLIENT, CLIENT]);
  });

  it.each<[unknown, object]>([
    [
      { from: 'auth' },
      { code: 'OPTION_INVALID', option: 'from', message: 'byJwtSubject: from must be a function, got "auth"' },
    ],
    [
      { otherwise: {} },
      {
        code: 'OPTION_INVALID',
        option: 'otherwise',
        message: 'byJwtSubject: otherwise must be a function, got an object',
      },
    ],
    [{ claim: 'sub' }, { code: 'OPTION_UNKNOWN', option: 'claim', value: 'sub' }],
    [
      () => claims,
      {
        code: 'OPTION_INVALID',
        option: 'options',
        message: 'byJwtSubject: options must be an object, got the function (anonymous)',
      },
    ],
  ])('refuses the options %p', (options, error) => {
    expect(() => byJwtSubject(options as JwtSubjectOptions<HttpRequest>)).toThrow(expect.objectContaining(error));
  });
});

function unverified(sub: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ sub })}.`;
}
