import * as fc from 'fast-check';

import { canonicalAddress, networkOf } from './address.js';

/** Zeros more often than chance has them, so that there is something to leave out. */
const groups = fc.array(fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });

const mapped = fc.tuple(fc.nat(0xffff), fc.nat(0xffff)).map((tail) => [0, 0, 0, 0, 0, 0xffff, ...tail]);

/** A way to write an address. */
interface Spelling {
  readonly widths: readonly number[];
  readonly upper: boolean;
  readonly dotted: boolean;
  /** Which of the runs of zeros is left out, and how much of it; the long form where there is none. */
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

describe('canonicalAddress, for every address', () => {
  it('C46, C47: has one form for all spellings of an IPv6 address, and it means that address', () => {
    fc.assert(
      fc.property(fc.oneof(groups, mapped), spelling, (address, how) => {
        const canonical = canonicalAddress(written(address, how));

        expect(canonical).toBe(canonicalAddress(expanded(address)));
        expect(bits(asIPv6(canonical!))).toBe(bits(expanded(address)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('C46: takes an address that IPv6 maps for the IPv4 address, and no other', () => {
    fc.assert(
      fc.property(groups, (address) => {
        const isMapped = address.slice(0, 6).join() === '0,0,0,0,0,65535';

        expect(canonicalAddress(expanded(address))!.includes(':')).toBe(!isMapped);
      }),
    );
    fc.assert(
      fc.property(mapped, spelling, (address, how) => {
        expect(canonicalAddress(written(address, how))).toBe(dottedOf(address));
      }),
    );
  });

  it('leaves an IPv4 address as it is, with a port, with quotes and with both', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(65_535), (address, port) => {
        const spellings = [address, `${address}:${port}`, `"${address}"`, `"${address}:${port}"`, ` ${address} `];

        expect(spellings.map(canonicalAddress)).toEqual(spellings.map(() => address));
      }),
    );
  });

  it('never throws, and what it returns is its own canonical form', () => {
    const almost = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789abcdefABCDEF:::...%[]"')),
      maxLength: 50,
    });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), almost, fc.ipV6()), (told) => {
        const canonical = canonicalAddress(told);

        expect(canonical === undefined || canonicalAddress(canonical) === canonical).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('networkOf, for every address', () => {
  it('C47: is the address with all bits after the prefix cleared', () => {
    fc.assert(
      fc.property(groups, fc.integer({ min: 32, max: 128 }), (address, prefix) => {
        const canonical = canonicalAddress(expanded(address))!;
        fc.pre(canonical.includes(':'));
        const rest = BigInt(128 - prefix);

        const [network, length] = networkOf(canonical, prefix).split('/');

        expect(bits(network!)).toBe((bits(canonical) >> rest) << rest);
        expect(length).toBe(String(prefix));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(Array.from({ length: 97 }, (_, index) => 32 + index))('C47: clears what is after bit %d', (prefix) => {
    const ones = networkOf('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', prefix);

    expect(bits(ones.slice(0, ones.indexOf('/')))).toBe(((1n << BigInt(prefix)) - 1n) << BigInt(128 - prefix));
  });

  it('never makes a network of an IPv4 address', () => {
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
  const told = dotted ? [...texts.slice(0, 6), dottedOf(address)] : texts;
  const runs = runsOfZeros(address.slice(0, dotted ? 6 : 8));
  const { [run]: left } = runs;
  const text = left === undefined ? told.join(':') : leftOut(told, left);
  return around[0] + (upper ? text.toUpperCase() : text) + around[1];
}

function leftOut(told: readonly string[], [from, to]: readonly [number, number]): string {
  return `${told.slice(0, from).join(':')}::${told.slice(to).join(':')}`;
}

/** Every stretch of zeros, so that each of them is the one left out some time. */
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

/** What a URL takes an address for: somebody else's reading of it. */
function bits(address: string): bigint {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}
