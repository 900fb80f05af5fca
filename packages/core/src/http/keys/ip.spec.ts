import * as fc from 'fast-check';

import { isKey } from '../../model/identity.js';
import { stateOf } from '../gate/request-state.js';
import type { HttpRequest } from '../request.js';
import { byIp, type IpOptions } from './ip.js';

const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

describe('byIp', () => {
  it.each([
    '1.2.3.4',
    '1.2.3.4:51234',
    '"1.2.3.4"',
    '::ffff:1.2.3.4',
    '::FFFF:1.2.3.4',
    '::ffff:102:304',
    '::ffff:0102:0304',
    '0:0:0:0:0:ffff:1.2.3.4',
    '0000:0000:0000:0000:0000:ffff:0102:0304',
    '0::ffff:1.2.3.4',
    '[::ffff:1.2.3.4]:443',
    '::ffff:1.2.3.4%eth0',
  ])('C46: takes %s for 1.2.3.4', (ip) => {
    expect(byIp()({ ip })).toEqual({ kind: 'ip', parts: ['1.2.3.4'] });
  });

  it('is one identity each time that a client comes, which nobody can change', () => {
    const key = byIp();

    const identities = ['1.2.3.4', '2001:db8::1', undefined].map((ip) => key({ ip }));

    expect(['::ffff:1.2.3.4', '2001:DB8::1', undefined].map((ip) => key({ ip }))).toEqual(identities);
    for (const [index, ip] of ['1.2.3.4', '2001:db8::1', undefined].entries()) {
      expect(key({ ip })).toBe(identities[index]);
      expect(Object.isFrozen(identities[index])).toBe(true);
    }
  });

  it('C47: tells clients apart by its own subnet, whatever another has seen', () => {
    const [wide, narrow] = [byIp({ ipv6Subnet: 48 }), byIp({ ipv6Subnet: 128 })];
    const ip = '2001:db8:1:2::9';

    expect([wide({ ip }), narrow({ ip })].map(partOf)).toEqual(['2001:db8:1:0:0:0:0:0/48', '2001:db8:1:2:0:0:0:9/128']);
  });

  it('C46: takes the dotted end of an IPv6 address for no IPv4 address', () => {
    const [dotted, neighbour, other] = [
      '2001:db8:1234:5678::1.2.3.4',
      '2001:db8:1234:5678::9',
      '2001:db8:1234:5679::1.2.3.4',
    ].map((ip) => networkTold(ip));

    expect(dotted).toBe('2001:db8:1234:5678:0:0:0:0/64');
    expect(neighbour).toBe(dotted);
    expect(other).not.toBe(dotted);
  });

  it('C46: tells apart any two IPv4 addresses, plain or mapped, whatever the subnet is', () => {
    const mapped = (ip: string) => `::ffff:${ip}`;
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 32, max: 128 }), (one, other, ipv6Subnet) => {
        const key = byIp({ ipv6Subnet });

        expect(key({ ip: mapped(one) })).toEqual(key({ ip: one }));
        expect(partOf(key({ ip: mapped(one) })) === partOf(key({ ip: mapped(other) }))).toBe(one === other);
      }),
    );
    expect(networkTold('::ffff:1.2.3.4')).not.toBe(networkTold('::ffff:5.6.7.8'));
  });

  it.each([
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0:0:0:0:0/64'],
    ['2002:102:304::1', '2002:102:304:0:0:0:0:0/64'],
  ])('C46: takes %s for no IPv4 address', (ip, network) => {
    expect(networkTold(ip)).toBe(network);
  });

  it('C47: takes two addresses of one /64 for one client, and of two /64s for two', () => {
    expect(networkTold('2001:db8:0:1::1')).toBe(networkTold('2001:db8:0:1:ffff:ffff:ffff:ffff'));
    expect(networkTold('2001:db8:0:1::1')).not.toBe(networkTold('2001:db8:0:2::1'));
  });

  it.each([
    [32, '2001:db8:0:0:0:0:0:0/32'],
    [48, '2001:db8:abcd:0:0:0:0:0/48'],
    [56, '2001:db8:abcd:ff00:0:0:0:0/56'],
    [60, '2001:db8:abcd:fff0:0:0:0:0/60'],
    [64, '2001:db8:abcd:ffff:0:0:0:0/64'],
    [128, '2001:db8:abcd:ffff:1:2:3:4/128'],
  ])('C47: tells IPv6 addresses apart by %d bits where it is told to', (ipv6Subnet, network) => {
    expect(networkTold('2001:db8:abcd:ffff:1:2:3:4', { ipv6Subnet })).toBe(network);
  });

  it.each(['2001:DB8::1', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1%eth0', '[2001:db8::1]:443'])(
    'C47: takes %s for 2001:db8::1',
    (ip) => {
      expect(networkTold(ip, { ipv6Subnet: 128 })).toBe(networkTold('2001:db8::1', { ipv6Subnet: 128 }));
    },
  );

  it.each<[string, HttpRequest]>([
    ['an address that is undefined', { ip: undefined }],
    ['an address that is undefined, on a peer that has one', { ip: undefined, socket: { remoteAddress: '10.0.0.1' } }],
    ['a peer that has gone', { socket: { remoteAddress: undefined } }],
    ['no peer', { socket: undefined }],
    ['nothing', {}],
    ['the word unknown', { ip: 'unknown' }],
    ['a hidden one', { ip: '_SEVKISEK' }],
    ['markup', { ip: 'garbage<script>' }],
    ['64 letters', { ip: 'a'.repeat(64) }],
    ['10 kB', { ip: '1'.repeat(10_000) }],
    ['half an address', { ip: '127.1' }],
    ['the name of a prototype', { ip: '__proto__' }],
    ['an array', { ip: ['1.2.3.4'] as unknown as string }],
    ['an object', { ip: { toString: () => '1.2.3.4' } as unknown as string }],
    ['a number', { ip: 16_909_060 as unknown as string }],
    ['null', { ip: null as unknown as string }],
  ])('C49: has one budget for all whose address cannot be read: %s', (_what, request) => {
    expect(byIp()(request)).toEqual({ kind: 'ip', parts: ['unknown'] });
  });

  it('C49: never throws, and has a key of its own for nothing but an address', () => {
    fc.assert(
      fc.property(fc.anything(), (told) => {
        const key = byIp()({ ip: told as string });

        expect(isKey(key)).toBe(true);
        expect(partOf(key)).toMatch(/^(unknown|[\d.]+|[\da-f:]+\/64)$/);
      }),
    );
  });

  it('C49: warns of addresses that cannot be read, once', () => {
    void byIp()({});
    void byIp()({ ip: 'unknown' });

    const told = warnings.mock.calls.filter(([, options]) => codeOf(options) === 'SLUICE_ADDRESS_UNREADABLE');
    expect(told).toHaveLength(1);
    expect(told[0]![0]).toContain('share one budget');
  });

  it('takes the word of the framework before that of the socket', () => {
    const socket = { remoteAddress: '10.0.0.1' };

    expect(byIp()({ ip: '192.0.2.1', socket })).toEqual({ kind: 'ip', parts: ['192.0.2.1'] });
    expect(byIp()({ socket })).toEqual({ kind: 'ip', parts: ['10.0.0.1'] });
  });

  it('takes the address that was read at the gate, though the client has left since', () => {
    const request = { ip: '192.0.2.1' as string | undefined };
    stateOf(request);
    request.ip = undefined;

    expect(byIp()(request)).toEqual({ kind: 'ip', parts: ['192.0.2.1'] });
  });

  it('reads the address from elsewhere where it is told to, at a gate as well', async () => {
    const request = { ip: '10.0.0.1', headers: { 'cf-connecting-ip': '2001:DB8::1' } };
    stateOf(request);
    const from = ({ headers }: typeof request) => headers['cf-connecting-ip'];
    const network = { kind: 'ip', parts: ['2001:db8:0:0:0:0:0:0/64'] };

    expect(byIp({ from })(request)).toEqual(network);
    await expect(byIp({ from: async (subject: typeof request) => from(subject) })(request)).resolves.toEqual(network);
  });

  it('C49: has the same budget for what is read elsewhere and is no address', () => {
    const unreadable = [undefined, '', '1.2.3.4, 5.6.7.8', ['1.2.3.4'], 5];

    const keys = unreadable.map((told) => byIp({ from: () => told as string })({ ip: '192.0.2.1' }));

    expect(keys).toEqual(unreadable.map(() => ({ kind: 'ip', parts: ['unknown'] })));
  });

  it.each<[object, string, string]>([
    [{ ipv6Subnet: 31 }, 'ipv6Subnet', 'byIp: ipv6Subnet must be an integer from 32 to 128, got 31'],
    [{ ipv6Subnet: 129 }, 'ipv6Subnet', 'byIp: ipv6Subnet must be an integer from 32 to 128, got 129'],
    [{ ipv6Subnet: 56.5 }, 'ipv6Subnet', 'byIp: ipv6Subnet must be an integer from 32 to 128, got 56.5'],
    [{ ipv6Subnet: '64' }, 'ipv6Subnet', 'byIp: ipv6Subnet must be an integer from 32 to 128, got "64"'],
    [{ ipv6Subnet: false }, 'ipv6Subnet', 'byIp: ipv6Subnet must be an integer from 32 to 128, got false'],
    [{ from: 'cf-connecting-ip' }, 'from', 'byIp: from must be a function, got "cf-connecting-ip"'],
    [56 as unknown as object, 'options', 'byIp: options must be an object, got 56'],
    [null as unknown as object, 'options', 'byIp: options must be an object, got null'],
  ])('refuses the options %j', (options, option, message) => {
    expect(() => byIp(options)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID', option, message }));
  });

  it('knows no other option', () => {
    expect(() => byIp({ ipv6Subnets: 64 } as object)).toThrow(
      expect.objectContaining({
        code: 'OPTION_UNKNOWN',
        option: 'ipv6Subnets',
        message: 'byIp: ipv6Subnets is not an option here: did you mean ipv6Subnet?, got 64',
      }),
    );
  });
});

function networkTold(ip: string, options?: IpOptions<HttpRequest>): string {
  return partOf(byIp(options)({ ip }));
}

function partOf(key: unknown): string {
  return (key as { parts: readonly string[] }).parts.join('|');
}

function codeOf(options: unknown): unknown {
  return (options as { code?: unknown } | undefined)?.code;
}
