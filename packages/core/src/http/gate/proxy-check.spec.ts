import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { IncomingMessage } from 'node:http';

import { exchange } from '../../testing/internal/exchange.js';
import type { HttpRequest } from '../request.js';
import type { ProxyTrust } from './proxy-check.js';

// A code is warned of once in a process: each test has modules of its own.

interface Exchange {
  readonly method?: string;
  readonly key?: (request: HttpRequest) => MaybePromise<Key>;
}

describe('a gate that is told whose word is taken for addresses', () => {
  let warn: jest.SpyInstance;

  beforeEach(() => {
    jest.resetModules();
    warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  });
  afterEach(() => warn.mockRestore());

  it('warns that everyone can claim any address, where all are trusted', async () => {
    await visit('all', {});
    await visit('all', { 'x-forwarded-for': '203.0.113.7' });

    expect(codes()).toEqual(['SLUICE_TRUST_PROXY_TRUE']);
  });

  it.each(['x-forwarded-for', 'forwarded'])('warns of %s where nobody is trusted', async (name) => {
    await visit('none', { [name]: 'for=203.0.113.7' });

    expect(codes()).toEqual(['SLUICE_FORWARDED_UNTRUSTED']);
    expect(warn.mock.calls[0]![0]).toContain(`a request came with ${name}, and no proxy is trusted`);
  });

  it('warns of trust that the framework does not heed', async () => {
    await visit('ignored', {});

    expect(codes()).toEqual(['SLUICE_TRUST_PROXY_IGNORED']);
  });

  it('asks whom the framework trusts once, and again at what a proxy has sent', async () => {
    const { ProxyCheck } = await import('./proxy-check.js');
    const trust = jest.fn<ProxyTrust, []>(() => 'none');
    const watch = new ProxyCheck(trust);
    const asked = [{}, {}, { forwarded: 'for=_a' }, {}].map((headers) => {
      watch.inspect({ headers });
      return trust.mock.calls.length;
    });

    expect(asked).toEqual([1, 1, 2, 2]);
    expect(codes()).toEqual(['SLUICE_FORWARDED_UNTRUSTED']);
  });

  it('shows no address in a warning', async () => {
    await visit('none', { 'x-forwarded-for': '203.0.113.7' });

    expect(JSON.stringify(warn.mock.calls)).not.toContain('203.0.113.7');
  });

  it.each<[string, ProxyTrust | undefined, Record<string, string>]>([
    ['some are trusted', 'some', { 'x-forwarded-for': '203.0.113.7' }],
    ['nobody is trusted and nothing is forwarded', 'none', {}],
    ['nothing is known of it', undefined, { 'x-forwarded-for': '203.0.113.7' }],
  ])('warns of nothing where %s', async (_what, trust, headers) => {
    await visit(trust, headers);

    expect(codes()).toEqual([]);
  });

  it('warns of nothing where no tier goes by the address that the framework tells', async () => {
    const { byIp } = await import('../keys/ip.js');
    const forwarded = { 'x-forwarded-for': '203.0.113.7', 'cf-connecting-ip': '203.0.113.7' };

    await visit('none', forwarded, { key: () => 'ada' });
    await visit('none', forwarded, { key: byIp({ from: ({ headers }) => String(headers?.['cf-connecting-ip']) }) });
    await visit('all', forwarded, { key: () => 'ada' });

    expect(codes()).toEqual([]);
  });

  it('warns of nothing at a preflight, which is not counted', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'PUT', forwarded: 'for=_a' };

    await visit('none', headers, { method: 'OPTIONS' });

    expect(codes()).toEqual([]);
  });

  /** A request at a new gate. */
  async function visit(
    trust: ProxyTrust | undefined,
    headers: Record<string, string>,
    { method = 'GET', key }: Exchange = {},
  ): Promise<void> {
    const { createGate } = await import('./gate.js');
    const { request, response } = exchange(headers, method);
    Object.assign(request, { ip: '192.0.2.1' });
    const { byIp } = await import('../keys/ip.js');
    const gate = createGate<IncomingMessage & HttpRequest>(
      { limit: 5, window: '1m', key: key ?? byIp() },
      trust && { trust: () => trust },
    );
    await gate.admit(request, response);
  }

  function codes(): string[] {
    return warn.mock.calls.map(([, { code }]: [string, { code: string }]) => code);
  }
});
