import type { HttpRequest } from '../request.js';
import { byApiKey, type ApiKeyOptions } from './api-key.js';

const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };
const KEY = { kind: 'api-key', parts: ['k-1'] };

describe('byApiKey', () => {
  it('identifies by the header X-Api-Key, or by another one, however its name is spelt', () => {
    const headers = { 'x-api-key': 'k-1', 'x-token': 'k-2' };

    expect(byApiKey()({ ip: '192.0.2.1', headers })).toEqual(KEY);
    expect(byApiKey({ header: 'X-API-KEY' })({ headers })).toEqual(KEY);
    expect(byApiKey({ header: 'X-Token' })({ headers })).toEqual({ kind: 'api-key', parts: ['k-2'] });
  });

  it.each([
    'Bearer k-1',
    'bearer k-1',
    'BEARER   k-1',
    'Bearer\tk-1',
    ' Bearer k-1 ',
    'ApiKey k-1',
    'Token k-1',
    'k-1',
  ])('takes Authorization: %j for the key k-1', (authorization) => {
    expect(byApiKey({ header: 'Authorization' })({ headers: { authorization } })).toEqual(KEY);
  });

  it('leaves out the scheme of Authorization only', () => {
    expect(byApiKey()({ headers: { 'x-api-key': 'Bearer k-1' } })).toEqual({ kind: 'api-key', parts: ['Bearer k-1'] });
  });

  it('identifies by a field of the query where the header has no key', () => {
    const key = byApiKey({ query: 'api_key' });

    expect(key({ query: { api_key: 'k-1' } })).toEqual(KEY);
    expect(key({ query: { api_key: 'k-1' }, headers: { 'x-api-key': '' } })).toEqual(KEY);
    expect(key({ query: { api_key: 'k-2' }, headers: { 'x-api-key': 'k-1' } })).toEqual(KEY);
  });

  it('reads no query that it was not told of', () => {
    const request = {
      ip: '192.0.2.1',
      get query(): unknown {
        throw new Error('read');
      },
    };

    expect(byApiKey()(request)).toEqual(CLIENT);
  });

  it('identifies by what a function reads, async or not', async () => {
    const account = { 'k-1': 17 } as Record<string, unknown>;
    const from = ({ headers }: HttpRequest) => account[String(headers?.['x-api-key'])];
    const request = { ip: '192.0.2.1', headers: { 'x-api-key': 'k-1' } };

    expect(byApiKey({ from })(request)).toEqual({ kind: 'api-key', parts: ['17'] });
    expect(byApiKey({ from })({ ip: '192.0.2.1' })).toEqual(CLIENT);
    await expect(byApiKey({ from: async (subject) => from(subject) })(request)).resolves.toEqual({
      kind: 'api-key',
      parts: ['17'],
    });
  });

  it('C45: has no identity in common with byIp, whatever a client writes', () => {
    const written = byApiKey()({ ip: '192.0.2.1', headers: { 'x-api-key': '192.0.2.1' } });

    expect(written).toEqual({ kind: 'api-key', parts: ['192.0.2.1'] });
    expect(written).not.toEqual(byApiKey()({ ip: '192.0.2.1' }));
  });

  it.each<[string, HttpRequest]>([
    ['no header', {}],
    ['an empty header', { headers: { 'x-api-key': '' } }],
    ['a key of 513 characters', { headers: { 'x-api-key': 'k'.repeat(513) } }],
    ['a key of 10 kB', { headers: { 'x-api-key': 'k'.repeat(10_000) } }],
    ['an array in the query', { query: { key: ['k-1', 'k-2'] } }],
    ['an object in the query', { query: { key: { $ne: '' } } }],
    ['an object that reads like a key', { query: { key: { toString: () => 'k-1' } } }],
    ['10 kB in the query', { query: { key: 'k'.repeat(10_000) } }],
    ['NaN in the query', { query: { key: NaN } }],
    ['a query that inherits one', { query: Object.create({ key: 'k-1' }) }],
    ['a query that is text', { query: 'key=k-1' }],
    ['a query that is an array', { query: ['k-1'] }],
    ['a query that is null', { query: null }],
  ])('C45: asks byIp where there is %s', (_what, request) => {
    expect(byApiKey({ query: 'key' })({ ip: '192.0.2.1', ...request })).toEqual(CLIENT);
  });

  it.each(['__proto__', 'constructor', 'toString'])('C45: finds no key %s that a query inherits', (query) => {
    expect(byApiKey({ query })({ ip: '192.0.2.1', query: {} })).toEqual(CLIENT);
    expect(byApiKey({ query })({ query: JSON.parse(`{ "${query}": "k-1" }`) })).toEqual(KEY);
  });

  it('asks what it is told to ask where there is no key', () => {
    expect(byApiKey({ otherwise: () => 'anonymous' })({ ip: '192.0.2.1' })).toBe('anonymous');
  });

  it('marks functions whose keys nothing has verified', () => {
    expect([byApiKey(), byApiKey({ query: 'key' }), byApiKey({ from: () => 17 })].map(({ bounds }) => bounds)).toEqual([
      'presented',
      'presented',
      undefined,
    ]);
  });

  it.each<[unknown, object]>([
    [
      { header: 'api key' },
      {
        code: 'KEY_INVALID',
        option: 'header',
        message: 'byApiKey: header must be the name of a header, got "api key"',
      },
    ],
    [{ header: 5 }, { code: 'KEY_INVALID', option: 'header', value: 5 }],
    [
      { query: '' },
      { code: 'OPTION_INVALID', option: 'query', message: 'byApiKey: query must be the name of a field, got ""' },
    ],
    [{ query: 5 }, { code: 'OPTION_INVALID', option: 'query', value: 5 }],
    [{ query: ['key'] }, { code: 'OPTION_INVALID', option: 'query' }],
    [
      { from: 'key' },
      { code: 'OPTION_INVALID', option: 'from', message: 'byApiKey: from must be a function, got "key"' },
    ],
    [
      { from: textual, header: 'x-key' },
      {
        code: 'OPTION_INVALID',
        option: 'from',
        message: 'byApiKey: from must stand without header and query, got the function textual',
      },
    ],
    [
      { from: textual, query: 'key' },
      { code: 'OPTION_INVALID', option: 'from' },
    ],
    [{ otherwise: true }, { code: 'OPTION_INVALID', option: 'otherwise' }],
    [
      { headers: 'x-key' },
      {
        code: 'OPTION_UNKNOWN',
        option: 'headers',
        message: 'byApiKey: headers is not an option here: did you mean header?, got "x-key"',
      },
    ],
    [
      'x-key',
      { code: 'OPTION_INVALID', option: 'options', message: 'byApiKey: options must be an object, got "x-key"' },
    ],
  ])('refuses the options %p', (options, error) => {
    expect(() => byApiKey(options as ApiKeyOptions<HttpRequest>)).toThrow(expect.objectContaining(error));
  });
});

function textual(): string {
  return 'k-1';
}
