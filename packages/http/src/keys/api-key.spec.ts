import type { HttpRequest } from '../request/request.js';
import { byApiKey } from './api-key.js';

const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };
const KEY = { kind: 'api-key', parts: ['k-1'] };
const inHeader = (value: string) => ({ headers: { 'x-api-key': value } });

describe('byApiKey', () => {
  it('identifies by the header X-Api-Key, or by another one in any spelling', () => {
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
    'k-1',
    'Bearer\u2028k-1',
  ])('reads k-1 from Authorization: %j', (authorization) => {
    expect(byApiKey({ header: 'Authorization' })({ headers: { authorization } })).toEqual(KEY);
  });

  it('reads a long Authorization with a line end in linear time', () => {
    const before = process.cpuUsage();

    void byApiKey({ header: 'authorization' })({ headers: { authorization: `k${' '.repeat(64_000)}\u2028` } });

    // Time of the processor: other programs of the machine take none of it.
    expect(process.cpuUsage(before).user).toBeLessThan(1e6);
  });

  it('removes a scheme only from Authorization', () => {
    expect(byApiKey()(inHeader('Bearer k-1'))).toEqual({ kind: 'api-key', parts: ['Bearer k-1'] });
  });

  it('identifies by a field of the query when the header has no key', () => {
    const key = byApiKey({ query: 'api_key' });

    expect(key({ query: { api_key: 'k-1' } })).toEqual(KEY);
    expect(key({ query: { api_key: 'k-1' }, headers: { 'x-api-key': '' } })).toEqual(KEY);
    expect(key({ query: { api_key: 'k-2' }, headers: { 'x-api-key': 'k-1' } })).toEqual(KEY);
  });

  it('reads no query without the option query', () => {
    const request = {
      ip: '192.0.2.1',
      get query(): unknown {
        throw new Error('read');
      },
    };

    expect(byApiKey()(request)).toEqual(CLIENT);
  });

  it('identifies by the account that a function returns, async or not', async () => {
    const account = { 'k-1': 17 } as Record<string, unknown>;
    const from = ({ headers }: HttpRequest) => account[String(headers?.['x-api-key'])];
    const request = { ip: '192.0.2.1', headers: { 'x-api-key': 'k-1' } };

    expect(byApiKey({ from })(request)).toEqual({ kind: 'account', parts: ['17'] });
    expect(byApiKey({ from })({ ip: '192.0.2.1' })).toEqual(CLIENT);
    await expect(byApiKey({ from: async (subject) => from(subject) })(request)).resolves.toEqual({
      kind: 'account',
      parts: ['17'],
    });
  });

  it.each<[string, HttpRequest]>([
    ['no header', {}],
    ['an empty header', inHeader('')],
    ['a key of 513 characters', inHeader('k'.repeat(513))],
    ['an array in the query', { query: { key: ['k-1', 'k-2'] } }],
    ['an object in the query', { query: { key: { $ne: '' } } }],
    ['an object that reads like a key', { query: { key: { toString: () => 'k-1' } } }],
    ['NaN in the query', { query: { key: NaN } }],
    ['a query that inherits one', { query: Object.create({ key: 'k-1' }) }],
    ['a query that is text', { query: 'key=k-1' }],
    ['a query that is an array', { query: ['k-1'] }],
    ['a query that is null', { query: null }],
  ])('C45: falls back to byIp for %s', (_what, request) => {
    expect(byApiKey({ query: 'key' })({ ip: '192.0.2.1', ...request })).toEqual(CLIENT);
  });

  it.each(['__proto__', 'constructor', 'toString'])('C45: ignores the inherited field %s of a query', (query) => {
    expect(byApiKey({ query })({ ip: '192.0.2.1', query: {} })).toEqual(CLIENT);
    expect(byApiKey({ query })({ query: JSON.parse(`{ "${query}": "k-1" }`) })).toEqual(KEY);
  });

  it('marks functions with keys that no code has verified', () => {
    const functions = [byApiKey(), byApiKey({ query: 'key' }), byApiKey({ from: () => 17 })];

    expect(functions.map(({ bounds }) => bounds)).toEqual(['presented', 'presented', undefined]);
  });
});
