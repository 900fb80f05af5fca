import { canonicalAddress, networkOf } from './address.js';

describe('canonicalAddress', () => {
  it('is the same when it is asked for again, and for nothing else that looks alike in bytes', () => {
    const told = ['::FFFF:1.2.3.4', '"2001:DB8::1"', '\u20032001:db8::2', 'unknown'];

    const first = told.map(canonicalAddress);

    expect(first).toEqual(['1.2.3.4', '2001:db8::1', '2001:db8::2', undefined]);
    expect(told.map(canonicalAddress)).toEqual(first);
    expect(canonicalAddress('\u00032001:db8::2')).toBeUndefined();
  });

  it.each([
    ['1.2.3.4:51234', '1.2.3.4'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['"2001:db8::1"', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['[::ffff:1.2.3.4]:443', '1.2.3.4'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%25eth0', 'fe80::1'],
    ['::ffff:0:0', '0.0.0.0'],
    ['2001:db8::1:443', '2001:db8::1:443'],
  ])('reads %s as %s', (told, address) => {
    expect(canonicalAddress(told)).toBe(address);
  });

  it.each([
    ['NAT64', '64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['6to4', '2002:102:304::1', '2002:102:304::1'],
    ['an IPv4-compatible address', '::1.2.3.4', '::1.2.3.4'],
    ['an IPv4-translated address', '::ffff:0:1.2.3.4', '::ffff:0:102:304'],
    ['a dotted end', '2001:db8::1.2.3.4', '2001:db8::102:304'],
  ])('C46: takes %s for the IPv6 address that it is', (_what, told, address) => {
    expect(canonicalAddress(told)).toBe(address);
  });

  it.each<[unknown]>([
    [undefined],
    [null],
    [''],
    [' '],
    ['unknown'],
    ['_hidden'],
    ['localhost'],
    ['garbage<script>'],
    ['a'.repeat(64)],
    ['1'.repeat(10_000)],
    [`1.2.3.4${' '.repeat(64)}`],
    ['01.2.3.4'],
    ['0x1.2.3.4'],
    ['127.1'],
    ['1.2.3'],
    ['1.2.3.4.5'],
    ['1.2.3.256'],
    ['16909060'],
    ['1.2.3.4:'],
    ['1.2.3.4:80:80'],
    ['1.2.3.4%eth0'],
    ['1.2.3.4, 5.6.7.8'],
    ['1.2.3.4/24'],
    ['1."2".3.4'],
    ['"1.2.3.4'],
    ['１.2.3.4'],
    ['1.2.3.4\0'],
    [':'],
    [':::'],
    ['%'],
    ['%eth0'],
    ['[]'],
    ['[]:443'],
    ['[2001:db8::1'],
    ['2001:db8::1]'],
    ['[2001:db8::1]443'],
    ['2001:db8::1::2'],
    ['2001:db8::12345'],
    ['2001:db8::/64'],
    ['::ffff:1.2.3.256'],
    ['::ffff:01.2.3.4'],
    ['__proto__'],
    [16_909_060],
    [-0],
    [NaN],
    [1n],
    [true],
    [['1.2.3.4']],
    [{ toString: () => '1.2.3.4' }],
    [Symbol('1.2.3.4')],
  ])('C49: finds no address in %p', (told) => {
    expect(canonicalAddress(told)).toBeUndefined();
  });
});

describe('networkOf', () => {
  it.each([
    ['2001:db8:abcd:ffff:1:2:3:4', 64, '2001:db8:abcd:ffff:0:0:0:0/64'],
    ['2001:db8:abcd:ffff:1:2:3:4', 60, '2001:db8:abcd:fff0:0:0:0:0/60'],
    ['2001:db8:abcd:ffff:1:2:3:4', 32, '2001:db8:0:0:0:0:0:0/32'],
    ['2001:db8:abcd:ffff:1:2:3:4', 128, '2001:db8:abcd:ffff:1:2:3:4/128'],
    ['::1.2.3.4', 112, '0:0:0:0:0:0:102:0/112'],
    ['::', 64, '0:0:0:0:0:0:0:0/64'],
    ['1.2.3.4', 64, '1.2.3.4'],
  ])('C47: takes %s by %d bits for a client of %s', (address, prefix, network) => {
    expect(networkOf(address, prefix)).toBe(network);
  });
});
