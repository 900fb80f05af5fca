import { trustProxy } from '@sluice/http';
import * as fc from 'fast-check';
import { isPrivate } from './private-address.js';

const isInNetworks = trustProxy(['loopback', 'linklocal', 'uniquelocal']);
const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(10, 16, 31, 32, 127, 168, 254));
const ipv4 = fc.tuple(fc.oneof(byte, fc.constantFrom(10, 127, 169, 172, 192)), byte, byte, byte);

describe('isPrivate', () => {
  it('is true for the addresses of private networks, and for no others', () => {
    const any = fc.oneof(
      ipv4.map((bytes) => bytes.join('.')),
      fc.ipV6(),
      fc.constantFrom('::1', 'fd00::7', 'fe80::1'),
    );

    expect(() =>
      fc.assert(fc.property(any, (address) => isPrivate(address) === (isInNetworks(address, 'behind') === 'behind'))),
    ).not.toThrow();
  });

  it.each(['10.example.com', '10.0.0.xxx', '192.168.7', ''])('is false for %j, which is no address', (text) => {
    expect(isPrivate(text)).toBe(false);
  });
});
