import type { HttpRequest } from '../request/request.js';
import { byJwtSubject } from './jwt-subject.js';

const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };
const ADA = { kind: 'jwt-subject', parts: ['https://id.example', 'ada'] };
const claims = { iss: 'https://id.example', sub: 'ada', aud: 'api' };

describe('byJwtSubject', () => {
  it.each<[string, HttpRequest]>([
    ['express-jwt', { auth: claims }],
    ['express-jwt with the whole token', { auth: { header: {}, payload: claims, signature: 's' } }],
    ['express-oauth2-jwt-bearer', { auth: { header: { alg: 'RS256' }, payload: claims, token: 'e.y.J' } }],
    ['passport', { user: claims }],
    ['@fastify/jwt', { user: { ...claims, iat: 1_893_456_000 } }],
    ['@fastify/jwt with the whole token', { user: { header: {}, payload: claims, signature: 's' } }],
  ])('identifies by issuer and subject that %s has verified', (_name, request) => {
    expect(byJwtSubject()({ ip: '192.0.2.1', ...request })).toEqual(ADA);
  });

  it('identifies by claims, or a result of jose, from a function', async () => {
    const verified = new WeakMap<object, unknown>();
    const request = { ip: '192.0.2.1' };
    verified.set(request, { payload: claims, protectedHeader: { alg: 'RS256' } });
    const from = (subject: HttpRequest) => verified.get(subject);

    expect(byJwtSubject({ from })(request)).toEqual(ADA);
    expect(byJwtSubject({ from })({ ip: '192.0.2.1' })).toEqual(CLIENT);
    await expect(byJwtSubject({ from: async () => claims })(request)).resolves.toEqual(ADA);
    await expect(byJwtSubject({ from: async () => undefined })(request)).resolves.toEqual(CLIENT);
  });

  it('reads nothing else when it has a function', () => {
    expect(byJwtSubject({ from: () => undefined })({ ip: '192.0.2.1', auth: claims, user: claims })).toEqual(CLIENT);
  });

  it('has an identity for each issuer of a subject', () => {
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

  it('identifies by the text of a whole number', () => {
    expect(byJwtSubject()({ user: { sub: 17 } })).toEqual(byJwtSubject()({ user: { sub: '17' } }));
  });

  it('reads the claims of user when auth has no subject', () => {
    expect(byJwtSubject()({ auth: { scope: 'read' }, user: claims })).toEqual(ADA);
  });

  it('ignores a claim with the name payload', () => {
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
  ])('C45: falls back to byIp for %s', (_what, value) => {
    expect(byJwtSubject()({ ip: '192.0.2.1', auth: value })).toEqual(CLIENT);
    expect(byJwtSubject()({ ip: '192.0.2.1', user: value })).toEqual(CLIENT);
    expect(byJwtSubject({ from: () => value })({ ip: '192.0.2.1' })).toEqual(CLIENT);
  });

  it('never reads a token, because it is not verified', () => {
    const keys = ['ada', 'bob', 'mallory'].map((sub) =>
      byJwtSubject()({ ip: '192.0.2.1', headers: { authorization: `Bearer ${unverified(sub)}` } }),
    );

    expect(keys).toEqual([CLIENT, CLIENT, CLIENT]);
  });
});

function unverified(sub: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ sub })}.`;
}
