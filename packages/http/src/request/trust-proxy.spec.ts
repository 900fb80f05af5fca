import * as fc from 'fast-check';
import { trustProxy } from './trust-proxy.js';

const CLIENT = '203.0.113.7';

describe('trustProxy', () => {
  const addressOf = trustProxy(['loopback', '10.0.0.0/8', '2001:db8::/32']);

  it.each([
    ['the peer, whatever it forwards', '198.51.100.9', CLIENT, '198.51.100.9'],
    ['the address that a proxy has seen', '127.0.0.1', CLIENT, CLIENT],
    ['the same through several proxies', '127.0.0.1', `${CLIENT}, 10.1.2.3`, CLIENT],
    ['the nearest one, not one that the client has claimed', '10.0.0.1', `192.0.2.1, ${CLIENT}`, CLIENT],
    ['an address through a proxy on a mapped or IPv6 address', '::ffff:10.0.0.1', `${CLIENT},2001:db8::1`, CLIENT],
    ['the farthest proxy, if all are proxies', '127.0.0.1', '10.0.0.9, 10.0.0.8', '10.0.0.9'],
    ['the proxy, if it forwards nothing', '127.0.0.1', undefined, '127.0.0.1'],
    ['the proxy, if it forwards an empty header', '127.0.0.1', ' , ', '127.0.0.1'],
    ['a text that is no address, as it came', '127.0.0.1', 'unknown', 'unknown'],
  ])('returns %s', (_what, peer, forwarded, address) => {
    expect(addressOf(peer, forwarded)).toBe(address);
  });

  it('returns nothing without a peer, as on a Unix socket', () => {
    expect(addressOf(undefined, CLIENT)).toBeUndefined();
  });

  it('takes repeated headers, and a header that is missing', () => {
    expect([addressOf('127.0.0.1', [CLIENT, '10.0.0.1']), addressOf('127.0.0.1', null)]).toEqual([CLIENT, '127.0.0.1']);
  });

  it('reads the nearest 64 proxies, whatever is before them', () => {
    const chain = ['192.0.2.1', '10.9.9.9', ...Array.from({ length: 63 }, (_, index) => `10.0.0.${index}`)];

    expect(addressOf('127.0.0.1', chain.join(', '))).toBe('10.9.9.9');
    expect(addressOf('127.0.0.1', chain.slice(0, -1).join(', '))).toBe('192.0.2.1');
    expect(addressOf('127.0.0.1', `${CLIENT}${' ,\t,'.repeat(1_000)}`)).toBe(CLIENT);
  });

  it('finds the same hop as a reader of all of them', () => {
    const hop = fc.constantFrom(
      '10.0.0.1',
      CLIENT,
      '2001:db8::1',
      'unknown',
      '',
      ' ',
      '\t',
      ' 10.0.0.2\t',
      ' a b ',
      '\n10.0.0.1',
    );
    fc.assert(
      fc.property(fc.array(hop, { maxLength: 12 }), (hops) => {
        const read = hops.map((each) => each.replaceAll(/^[ \t]+|[ \t]+$/g, '')).filter((each) => each !== '');
        const proxies = new Set(['10.0.0.1', '10.0.0.2', '2001:db8::1', '\n10.0.0.1']);
        const expected = read.findLast((each) => !proxies.has(each)) ?? read[0] ?? '127.0.0.1';

        expect(addressOf('127.0.0.1', hops.join(','))).toBe(expected);
        expect(addressOf('127.0.0.1', hops)).toBe(expected);
      }),
    );
  });

  it('trusts no proxy with an empty list', () => {
    expect(trustProxy([])('127.0.0.1', CLIENT)).toBe('127.0.0.1');
  });

  it('never returns what a client wrote before the address that the nearest proxy has seen', () => {
    fc.assert(
      fc.property(fc.string(), (claimed) => {
        expect(addressOf('10.0.0.1', `${claimed}, ${CLIENT}`)).toBe(CLIENT);
      }),
    );
  });

  it.each([
    [true, /trustProxy must be an array .*'loopback'.*got true/],
    [1, /trustProxy must be an array/],
    [['all'], /trustProxy\[0\] must be an address or a network.*got "all"/],
    [['10.0.0.1/8'], /bits behind its prefix, write 10\.0\.0\.0\/8/],
    [['constructor'], /trustProxy\[0\] must be an address/],
  ])('rejects %p', (proxies, message) => {
    expect(() => trustProxy(proxies as string[])).toThrow(message);
  });
});
