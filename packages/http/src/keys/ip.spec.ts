import * as fc from 'fast-check';

import { identityText } from '../../../core/src/limiter/keys/store-keys.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { nodeResponse } from '../../../../test/support/node-response.js';
import { attach, Visit } from '../visits/visit.js';
import type { HttpRequest } from '../request/request.js';
import { byIp } from './ip.js';

const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

describe('byIp', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['"[::FFFF:1.2.3.4%eth0]:443"', '1.2.3.4'],
    ['[2001:DB8::1]:443', '2001:db8:0:0:0:0:0:0/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1:0:0:0:0/64'],
    ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1:0:0:0:0/64'],
    ['2001:db8:0:1::1.2.3.4', '2001:db8:0:1:0:0:0:0/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0:0:0:0:0/64'],
  ])('C46 C47: identifies %s by %s', (ip, network) => {
    expect(byIp()({ ip })).toEqual({ kind: 'ip', parts: [network] });
  });

  it('has one frozen identity for each client', () => {
    const key = byIp();

    const identities = ['1.2.3.4', '2001:db8::1', undefined].map((ip) => key({ ip }));

    expect(['::ffff:1.2.3.4', '2001:DB8::1', undefined].map((ip) => key({ ip }))).toEqual(identities);
    for (const [index, ip] of ['1.2.3.4', '2001:db8::1', undefined].entries()) {
      expect(key({ ip })).toBe(identities[index]);
      expect(Object.isFrozen(identities[index])).toBe(true);
    }
  });

  it('C47: has its own subnet, also for an address that another has cached', () => {
    const [wide, narrow] = [byIp({ ipv6Subnet: 48 }), byIp({ ipv6Subnet: 128 })];
    const ip = '2001:db8:1:2::9';

    expect([wide({ ip }), narrow({ ip })].map(partOf)).toEqual(['2001:db8:1:0:0:0:0:0/48', '2001:db8:1:2:0:0:0:9/128']);
  });

  it('C46: has an identity for each IPv4 address, plain or mapped, with any subnet', () => {
    const mapped = (ip: string) => `::ffff:${ip}`;
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 32, max: 128 }), (one, other, ipv6Subnet) => {
        const key = byIp({ ipv6Subnet });

        expect(key({ ip: mapped(one) })).toEqual(key({ ip: one }));
        expect(partOf(key({ ip: mapped(one) })) === partOf(key({ ip: mapped(other) }))).toBe(one === other);
      }),
    );
  });

  it.each<[string, HttpRequest]>([
    ['an undefined address', { ip: undefined }],
    ['an undefined address of a socket with an address', { ip: undefined, socket: { remoteAddress: '10.0.0.1' } }],
    ['a closed socket', { socket: { remoteAddress: undefined } }],
    ['no socket', { socket: undefined }],
    ['nothing', {}],
    ['a text that is no address', { ip: 'unknown' }],
    ['10 kB', { ip: '1'.repeat(10_000) }],
    ['an array', { ip: ['1.2.3.4'] as unknown as string }],
  ])('C49: has one identity for all unreadable addresses: %s', (_what, request) => {
    expect(byIp()(request)).toEqual({ kind: 'ip', parts: ['unknown'] });
  });

  it('C49: never throws, and identifies only addresses', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const key = byIp()({ ip: value as string });

        expect(identityText(key as unknown)).toBeDefined();
        expect(partOf(key)).toMatch(/^(unknown|[\d.]+|[\da-f:]+\/64)$/);
      }),
    );
  });

  it('C49: warns of unreadable addresses once', () => {
    void byIp()({});
    void byIp()({ ip: 'unknown' });

    const options = expect.objectContaining({ code: 'SLUICE_ADDRESS_UNREADABLE' });
    const calls = warnings.mock.calls.filter((call) => options.asymmetricMatch(call[1]));
    expect(calls).toEqual([[expect.stringContaining('share one budget'), options]]);
  });

  it('prefers the address of the framework to that of the socket', () => {
    const socket = { remoteAddress: '10.0.0.1' };

    expect(byIp()({ ip: '192.0.2.1', socket })).toEqual({ kind: 'ip', parts: ['192.0.2.1'] });
    expect(byIp()({ socket })).toEqual({ kind: 'ip', parts: ['10.0.0.1'] });
  });

  it('reads the address from the gate after the client has disconnected', () => {
    const request = { ip: '192.0.2.1' as string | undefined };
    enter(request);
    request.ip = undefined;

    expect(byIp()(request)).toEqual({ kind: 'ip', parts: ['192.0.2.1'] });
  });

  it('reads the address by the function from, also at a gate', async () => {
    const request = { ip: '10.0.0.1', headers: { 'cf-connecting-ip': '2001:DB8::1' } };
    enter(request);
    const from = ({ headers }: typeof request) => headers['cf-connecting-ip'];
    const network = { kind: 'ip', parts: ['2001:db8:0:0:0:0:0:0/64'] };

    expect(byIp({ from })(request)).toEqual(network);
    await expect(byIp({ from: async (subject: typeof request) => from(subject) })(request)).resolves.toEqual(network);
  });

  it('C49: has the same identity for unreadable results of the function from', () => {
    const unreadable = [undefined, '', '1.2.3.4, 5.6.7.8', ['1.2.3.4'], 5];

    const keys = unreadable.map((value) => byIp({ from: () => value as string })({ ip: '192.0.2.1' }));

    expect(keys).toEqual(unreadable.map(() => ({ kind: 'ip', parts: ['unknown'] })));
  });
});

/** The request is at a gate. */
function enter(request: HttpRequest): void {
  const limiter = createLimiter<HttpRequest>({ key: () => 'ada', limit: 5, window: '1m' });
  attach(new Visit({ limiter, formats: [] }, request, nodeResponse()));
}

function partOf(key: unknown): string {
  return (key as { parts: readonly string[] }).parts.join('|');
}
