import type { IncomingMessage } from 'node:http';

import { exchange } from '../../../../test/support/exchange.js';
import type { KeyFunction } from '../../../core/src/limiter/keys/key-function.js';
import type { HttpRequest } from './request.js';
import type { ProxyTrust } from './proxy-check.js';
import { freshModules } from '../../../../test/support/fresh-modules.js';

const forwarded = { 'x-forwarded-for': '203.0.113.7' };

describe('ProxyCheck', () => {
  let warn: jest.SpyInstance;

  beforeEach(() => {
    // Each code warns once in a process.
    freshModules();
    warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  });
  afterEach(() => warn.mockRestore());

  it.each<[string, ProxyTrust, Record<string, string>]>([
    ['SLUICE_TRUST_PROXY_TRUE', 'all', {}],
    ['SLUICE_TRUST_PROXY_TRUE', 'all', forwarded],
    ['SLUICE_TRUST_PROXY_IGNORED', 'ignored', {}],
    ['SLUICE_FORWARDED_UNTRUSTED', 'none', forwarded],
    ['SLUICE_FORWARDED_UNTRUSTED', 'none', { forwarded: 'for=203.0.113.7' }],
  ])('warns %s once, and shows no address, for trust %s and headers %j', async (code, trust, headers) => {
    await admit(trust, headers);
    await admit(trust, headers);

    expect(codes()).toEqual([code]);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('203.0.113.7');
  });

  it.each<[string, ProxyTrust | undefined, Record<string, string>]>([
    ['some proxies are trusted', 'some', forwarded],
    ['nothing is forwarded', 'none', {}],
    ['the trust is unknown', undefined, forwarded],
  ])('does not warn if %s', async (_case, trust, headers) => {
    await admit(trust, headers);

    expect(codes()).toEqual([]);
  });

  it('does not warn if no tier uses the address of the framework', async () => {
    const { byIp } = await import('../keys/ip.js');

    await admit('none', forwarded, () => 'ada');
    await admit('none', forwarded, byIp({ from: ({ headers }) => String(headers?.['x-forwarded-for']) }));
    await admit('all', forwarded, () => 'ada');

    expect(codes()).toEqual([]);
  });

  it('does not warn of a preflight, which is not counted', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'PUT', forwarded: 'for=_a' };

    await admit('none', headers, undefined, 'OPTIONS');

    expect(codes()).toEqual([]);
  });

  it.each<[ProxyTrust, number]>([
    ['none', 3],
    ['some', 1],
  ])('reads the trust %s until a proxy is trusted: for %d of 3 requests', async (setting, reads) => {
    const { ProxyCheck } = await import('./proxy-check.js');
    const trust = jest.fn(() => setting);
    const check = new ProxyCheck(trust);

    for (const headers of [{}, forwarded, {}]) check.inspect({ ip: '192.0.2.1', headers });

    expect(trust).toHaveBeenCalledTimes(reads);
  });

  /** A request at a new gate, by address unless a key is given. */
  async function admit(
    trust: ProxyTrust | undefined,
    headers: Record<string, string>,
    ...[key, method]: [key?: KeyFunction<HttpRequest> | undefined, method?: string]
  ): Promise<void> {
    const { createGate } = await import('../gate/gate.js');
    const { request, response } = exchange(headers, method);
    Object.assign(request, { ip: '192.0.2.1' });
    const options = { limit: 5, window: '1m', ...(key && { key }) } as const;
    const gate = createGate<IncomingMessage & HttpRequest>(options, trust && { trust: () => trust });
    await gate.admit(request, response);
  }

  function codes(): string[] {
    return warn.mock.calls.map(([, { code }]: [string, { code: string }]) => code);
  }
});
