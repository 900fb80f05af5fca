import type { IncomingMessage } from 'node:http';
import { subscribe } from '../../../core/src/events/events.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { ipList } from '../lists/ip-list.js';
import { createGate } from './gate.js';
import type { GatedLimiterOptions } from './gate-options.js';
import { exchange } from '../../../../test/support/exchange.js';
import type { HttpRequest } from '../request/request.js';
import { warningCatcher } from '../../../../test/support/warnings.js';

const pages = { name: 'pages', limit: 1, window: '1h' } as const;

function gateOf(options: Partial<GatedLimiterOptions<IncomingMessage>>) {
  const store = memoryStore();
  const gate = createGate<IncomingMessage>({ ...pages, store, ...options } as GatedLimiterOptions<IncomingMessage>);
  const admit = async (ip: string | undefined, headers?: Record<string, string>, method?: string) => {
    const { request, response } = exchange(headers, method);
    return gate.admit(Object.assign(request, { ip }), response);
  };
  return { store, gate, admit };
}

describe('a gate with lists of addresses', () => {
  const warnings = warningCatcher();

  it.each([[undefined], [null], [Promise.resolve('203.0.113.9')]])(
    'counts a client with the address %p, and warns once that `deny` does not stop it',
    async (ip) => {
      const { admit } = gateOf({ key: () => 'all', deny: ['203.0.113.0/24'] });

      const admissions = [await admit(ip as never), await admit(ip as never)];

      expect(admissions.map(({ state }) => state)).toEqual(['admitted', 'denied']);
      expect(warnings()).toEqual([
        ['SLUICE_DENY_WITHOUT_ADDRESS', expect.stringContaining('cannot be read, so deny does not stop it')],
      ]);
    },
  );

  it('counts a client without an address without a warning if it has `allow` alone', async () => {
    const { admit } = gateOf({ key: () => 'all', allow: ['203.0.113.0/24'] });

    const { state } = await admit(undefined);

    expect([state, warnings()]).toEqual(['admitted', []]);
  });

  it('denies listed addresses with 403, and asks no store', async () => {
    const { admit, store } = gateOf({ deny: ['203.0.113.0/24'] });

    const denied = await admit('203.0.113.9');
    const admitted = await admit('198.51.100.7');

    expect(denied).toMatchObject({
      state: 'denied',
      problem: { type: 'about:blank', title: 'Forbidden', status: 403 },
      decision: { allowed: false, reason: 'never', retryAfter: Infinity, outcomes: [] },
    });
    expect(admitted.state).toBe('admitted');
    expect(store.size).toBe(1);
  });

  it('does not count allowed addresses, also where they are denied', async () => {
    const { admit, store } = gateOf({ allow: ['203.0.113.9'], deny: ['203.0.113.0/24'] });

    const admissions = [await admit('203.0.113.9'), await admit('203.0.113.9')];

    expect(admissions).toEqual([
      { state: 'admitted', decision: undefined },
      { state: 'admitted', decision: undefined },
    ]);
    expect(store.size).toBe(0);
  });

  it('denies a preflight of a denied address, and counts none', async () => {
    const { admit, store } = gateOf({ deny: ['203.0.113.0/24'] });
    const preflight = { origin: 'https://a.example', 'access-control-request-method': 'PUT' };

    const admissions = [
      await admit('203.0.113.9', preflight, 'OPTIONS'),
      await admit('198.51.100.7', preflight, 'OPTIONS'),
    ];

    expect(admissions).toMatchObject([{ state: 'denied', problem: { status: 403 } }, { decision: undefined }]);
    expect(store.size).toBe(0);
  });

  it.each<[string, 'none' | 'some', string | undefined]>([
    ['the framework trusts no proxy', 'none', undefined],
    ['the framework trusts another proxy', 'some', '203.0.113.9'],
  ])('counts a forwarded request of an allowed peer where %s, and warns once', async (_case, trust, peer) => {
    const gate = createGate<HttpRequest>({ ...pages, allow: ['203.0.113.9'] }, { trust: () => trust });
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const admit = async () => {
      const request = { ip: '203.0.113.9', headers, ...(peer && { socket: { remoteAddress: peer } }) };
      return gate.admit(request, exchange().response);
    };

    const admissions = [await admit(), await admit()];

    expect(admissions.map(({ state }) => state)).toEqual(['admitted', 'denied']);
    expect(warnings().filter(([code]) => code === 'SLUICE_ALLOW_FORWARDED')).toEqual([
      ['SLUICE_ALLOW_FORWARDED', expect.stringContaining('came through a proxy that is not trusted')],
    ]);
  });

  it('does not count a request of an allowed client that a trusted proxy has forwarded', async () => {
    const gate = createGate<HttpRequest>({ ...pages, allow: ['203.0.113.9'] }, { trust: () => 'some' });
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const admit = async () => {
      const request = { ip: '203.0.113.9', headers, socket: { remoteAddress: '10.0.0.1' } };
      return gate.admit(request, exchange().response);
    };

    expect([await admit(), await admit()]).toMatchObject([{ decision: undefined }, { decision: undefined }]);
  });

  it('changes nothing for a list in shadow mode, and publishes its matches', async () => {
    const events: unknown[] = [];
    const end = subscribe('sluice:listed', (event) => events.push(event));
    const shadow = ipList({ name: 'tried', mode: 'shadow', seed: ['203.0.113.0/24'] });
    const { admit } = gateOf({ deny: shadow });
    const { admit: enforced } = gateOf({ deny: ['203.0.113.0/24'], allow: ['203.0.113.1'] });

    const admission = await admit('203.0.113.9');
    await enforced('203.0.113.9');
    await enforced('203.0.113.1');
    await enforced('198.51.100.7');
    end();

    expect(admission).toMatchObject({ state: 'admitted', decision: { allowed: true } });
    expect(events).toEqual([
      { list: 'tried', rule: 'deny', shadow: true },
      { list: 'deny', rule: 'deny', shadow: false },
      { list: 'allow', rule: 'allow', shadow: false },
    ]);
  });

  it.each([
    [
      { deny: '10.0.0.0/8' },
      'rateLimit: deny must be an array of addresses and networks, or an ipList, got "10.0.0.0/8"',
    ],
    [{ deny: '' }, 'rateLimit: deny must be an array of addresses and networks, or an ipList, got ""'],
    [{ allow: null }, 'rateLimit: allow must be an array of addresses and networks, or an ipList, got null'],
    [{ allow: ['10.0.0.0/33'] }, 'rateLimit: allow[0] must be an address or a network'],
    [
      { deny: new Set(['10.0.0.1']) },
      'rateLimit: deny must be an array of addresses and networks, or an ipList, got an object',
    ],
  ])('rejects %j with the rule', (options, message) => {
    expect(() => gateOf(options as never)).toThrow(message);
  });
});
