import * as fc from 'fast-check';
import { BlockList, isIPv4, SocketAddress } from 'node:net';
import { canonicalAddress } from './address.js';
import { NetworkSet } from './network-set.js';
import { networkText, readNetwork, type Network } from './network.js';

describe('readNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1'],
    ['::/0', '::/0'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    [' 10.0.0.0/8 ', '10.0.0.0/8'],
  ])('reads %j as %s', (given, text) => {
    expect(networkText(readNetwork(given) as Network)).toBe(text);
  });

  it.each([
    ['203.0.113.7/24', 'write 203.0.113.0/24'],
    ['2001:db8::1/32', 'write 2001:db8::/32'],
    ['203.0.113.0/33', 'is 0 to 32'],
    ['2001:db8::/129', 'is 0 to 128'],
    ['::ffff:203.0.113.0/64', 'is 0 to 32'],
    ['10.0.0/8', 'such as'],
    ['example.com', 'such as'],
    ['10.0.0.1:80', 'such as'],
    ['[::1]', 'such as'],
    ['', 'such as'],
    [undefined, 'such as'],
    ['1'.repeat(1_000), 'such as'],
  ])('says what to write instead of %j', (given, rule) => {
    expect(readNetwork(given)).toEqual(expect.stringContaining(rule));
  });
});

const addresses = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  // Near each other, so that networks hold them.
  fc.integer({ min: 0, max: 255 }).map((last) => `203.0.113.${last}`),
  fc.integer({ min: 0, max: 65_535 }).map((last) => `2001:db8::${last.toString(16)}`),
);

describe('NetworkSet', () => {
  it('holds the same addresses as the BlockList of Node', () => {
    const network = fc.tuple(addresses, fc.nat()).map(([address, any]) => {
      const canonical = canonicalAddress(address)!;
      const prefix = any % (isIPv4(canonical) ? 33 : 129);
      return { canonical, prefix };
    });
    fc.assert(
      fc.property(fc.array(network, { maxLength: 20 }), fc.array(addresses, { minLength: 1 }), (networks, looked) => {
        const set = new NetworkSet();
        for (const { canonical, prefix } of networks) {
          set.add(baseOf(canonical, prefix));
        }

        for (const address of looked.map((each) => canonicalAddress(each)!)) {
          const family = isIPv4(address) ? 'ipv4' : 'ipv6';
          // Node takes IPv4 addresses for mapped ones of IPv6 networks.
          const expected = networks.some(({ canonical, prefix }) => {
            if (isIPv4(canonical) !== isIPv4(address)) return false;
            const oracle = new BlockList();
            oracle.addSubnet(canonical, prefix, family);
            return oracle.check(address, family);
          });
          expect(set.has(address)).toBe(expected);
        }
      }),
    );
  });

  it('falls back to a wider network when the value of a narrower one does not count', () => {
    const set = new NetworkSet();
    const wide = set.add(readNetwork('10.0.0.0/8') as Network);
    set.add(readNetwork('10.1.0.0/16') as Network);

    expect([set.has('10.1.2.3', (row) => row === wide), set.has('11.1.2.3')]).toEqual([true, false]);
  });

  it('has the networks that were added and not deleted, in any order', () => {
    // Few networks, so that many are added twice and deleted.
    const names = fc.nat(79).map((any) => (any < 40 ? `10.0.${any}.0/24` : `2001:db8:${any.toString(16)}::/48`));
    const steps = fc.array(fc.tuple(names, fc.boolean()), { minLength: 200, maxLength: 300 });
    fc.assert(
      fc.property(steps, (given) => {
        const set = new NetworkSet();
        const model = new Set<string>();
        for (const [name, isAdded] of given) {
          const network = readNetwork(name) as Network;
          const row = set.find(network);
          if (row >= 0 !== model.has(name)) throw new Error(`${name} is ${row < 0 ? 'not ' : ''}there`);
          if (isAdded) set.add(network);
          else if (row >= 0) set.delete(row);
          if (isAdded) model.add(name);
          else model.delete(name);
        }

        const rows = [...set.rows()];
        expect(new Set(rows.map((row) => networkText(set.network(row))))).toEqual(model);
        expect([set.size, rows.length]).toEqual([model.size, model.size]);
      }),
    );
  });
});

/** The network of an address: the rule for bits behind the prefix says it. */
function baseOf(address: string, prefix: number): Network {
  const read = readNetwork(`${address}/${prefix}`);
  if (typeof read !== 'string') return read;
  const [, written] = /write (.*)$/.exec(read)!;
  expect(
    new SocketAddress({ address: written!.split('/')[0]!, family: isIPv4(address) ? 'ipv4' : 'ipv6' }),
  ).toBeDefined();
  return readNetwork(written) as Network;
}
