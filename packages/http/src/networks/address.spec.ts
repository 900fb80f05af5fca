import * as fc from 'fast-check';

import { canonicalAddress, networkOf } from './address.js';

/** With many zeros, which a short spelling leaves out. */
const groups = fc.array(fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });

const mapped = fc.tuple(fc.nat(0xffff), fc.nat(0xffff)).map((tail) => [0, 0, 0, 0, 0, 0xffff, ...tail]);

/** A way to write an address. */
interface Spelling {
  readonly widths: readonly number[];
  readonly upper: boolean;
  readonly dotted: boolean;
  /** The run of zeros that is left out; the long form without such a run. */
  readonly run: number;
  readonly around: readonly [before: string, after: string];
}

const spelling: fc.Arbitrary<Spelling> = fc.record({
  widths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
  upper: fc.boolean(),
  dotted: fc.boolean(),
  run: fc.nat(30),
  around: fc.constantFrom<[string, string]>(
    ['', ''],
    ['', '%eth0'],
    ['', '%25br_lan'],
    ['', '%a:b.c'],
    ['[', ']'],
    ['[', ']:443'],
    ['[', '%en0]:51234'],
    ['"', '"'],
    ['"[', ']:443"'],
    [' ', '\t'],
  ),
});

describe('canonicalAddress', () => {
  it('C46 C47: has one form for all spellings of an IPv6 address', () => {
    fc.assert(
      fc.property(fc.oneof(groups, mapped), spelling, (address, how) => {
        const canonical = canonicalAddress(written(address, how));

        expect(canonical).toBe(canonicalAddress(expanded(address)));
        expect(bits(asIPv6(canonical!))).toBe(bits(expanded(address)));
      }),
      { numRuns: 500 },
    );
  });

  it('C46: returns the IPv4 address for mapped addresses only', () => {
    fc.assert(
      fc.property(groups, mapped, spelling, (address, other, how) => {
        const isMapped = address.slice(0, 6).join() === '0,0,0,0,0,65535';

        expect(canonicalAddress(expanded(address))!.includes(':')).toBe(!isMapped);
        expect(canonicalAddress(written(other, how))).toBe(dottedOf(other));
      }),
    );
  });

  it('removes port and quotes of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(65_535), (address, port) => {
        const spellings = [address, `${address}:${port}`, `"${address}"`, `"${address}:${port}"`, ` ${address} `];

        expect(spellings.map(canonicalAddress)).toEqual(spellings.map(() => address));
      }),
    );
  });

  it('never throws, and returns its result for its result', () => {
    const letters = fc.constantFrom(...Array.from('0123456789abcdefABCDEF:::...%[]"'));
    const almost = fc.string({ unit: letters, maxLength: 50 });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), almost, fc.ipV6()), (value) => {
        const canonical = canonicalAddress(value);

        expect(canonical === undefined || canonicalAddress(canonical) === canonical).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['NAT64', '64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['6to4', '2002:102:304::1', '2002:102:304::1'],
    ['an IPv4-compatible address', '::1.2.3.4', '::1.2.3.4'],
    ['an IPv4-translated address', '::ffff:0:1.2.3.4', '::ffff:0:102:304'],
    ['a port without brackets', '2001:db8::1:443', '2001:db8::1:443'],
    ['a wide space', '\u20032001:db8::2', '2001:db8::2'],
  ])('C46: reads %s as an IPv6 address', (_what, text, address) => {
    expect(canonicalAddress(text)).toBe(address);
  });

  const numbers = ['01.2.3.4', '0x1.2.3.4', '127.1', '1.2.3', '1.2.3.4.5', '1.2.3.256', '16909060', '１.2.3.4'];
  const ends = ['1.2.3.4:', '1.2.3.4:80:80', '1.2.3.4%eth0', '1.2.3.4, 5.6.7.8', '1.2.3.4/24', '1.2.3.4\0'];
  const marks = [':', ':::', '%', '%eth0', '[]', '[]:443', '[2001:db8::1', '2001:db8::1]', '[2001:db8::1]443'];
  const quotes = ['1."2".3.4', '"1.2.3.4'];
  const groupsOfSix = ['2001:db8::1::2', '2001:db8::12345', '2001:db8::/64', '::ffff:1.2.3.256', '::ffff:01.2.3.4'];
  const words = ['', ' ', 'unknown', '_hidden', 'localhost', 'garbage<script>', '__proto__', '\u00032001:db8::2'];
  const long = ['a'.repeat(64), '1'.repeat(10_000), `1.2.3.4${' '.repeat(64)}`];
  const values = [undefined, null, 16_909_060, -0, 1n, true, ['1.2.3.4'], { toString: () => '1.2.3.4' }, Symbol('::')];

  it.each([numbers, ends, marks, quotes, groupsOfSix, words, long, values].flat().map((value) => [value]))(
    'C49: returns undefined for %p',
    (value) => {
      expect(canonicalAddress(value)).toBeUndefined();
    },
  );
});

describe('networkOf', () => {
  it('C47: clears all bits of the address after the prefix', () => {
    fc.assert(
      fc.property(groups, fc.integer({ min: 32, max: 128 }), (address, prefix) => {
        const canonical = canonicalAddress(expanded(address))!;
        fc.pre(canonical.includes(':'));
        const rest = BigInt(128 - prefix);

        const [network, length] = networkOf(canonical, prefix).split('/');

        expect(bits(network!)).toBe((bits(canonical) >> rest) << rest);
        expect(length).toBe(String(prefix));
      }),
      { numRuns: 500 },
    );
  });

  it('returns an IPv4 address unchanged', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 32, max: 128 }), (address, prefix) => {
        expect(networkOf(address, prefix)).toBe(address);
      }),
    );
  });
});

function expanded(address: readonly number[]): string {
  return address.map((group) => group.toString(16).padStart(4, '0')).join(':');
}

function written(address: readonly number[], { widths, upper, dotted, run, around }: Spelling): string {
  const texts = address.map((group, index) => group.toString(16).padStart(widths[index]!, '0'));
  const parts = dotted ? [...texts.slice(0, 6), dottedOf(address)] : texts;
  const runs = runsOfZeros(address.slice(0, dotted ? 6 : 8));
  const { [run]: left } = runs;
  const text = left === undefined ? parts.join(':') : leftOut(parts, left);
  return around[0] + (upper ? text.toUpperCase() : text) + around[1];
}

function leftOut(parts: readonly string[], [from, to]: readonly [number, number]): string {
  return `${parts.slice(0, from).join(':')}::${parts.slice(to).join(':')}`;
}

/** Every run of zeros. */
function runsOfZeros(address: readonly number[]): readonly (readonly [from: number, to: number])[] {
  return address.flatMap((_, from) =>
    address
      .map((_group, index) => [from, index + 1] as const)
      .filter(([, to]) => to > from && address.slice(from, to).every((group) => group === 0)),
  );
}

function dottedOf(address: readonly number[]): string {
  return address
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function asIPv6(address: string): string {
  return address.includes(':') ? address : `::ffff:${address}`;
}

/** The bits of an address, as the parser of URLs reads it. */
function bits(address: string): bigint {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}
