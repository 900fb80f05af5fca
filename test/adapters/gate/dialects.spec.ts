import type { HeaderFormat } from '@sluice/core';
import { fakeClock } from '@sluice/core/testing';
import { ParseError, parseDictionary, parseList } from 'structured-headers';

import { visitor } from './visitor.js';

const NOW = Date.UTC(2030, 0, 1);
const minute = { name: 'minute', key: () => 'ada', algorithm: 'fixed-window', limit: 5, window: '1m' } as const;
const hour = { ...minute, name: 'hour', limit: 100, window: '1h' } as const;

let clock = fakeClock(NOW);

beforeEach(() => {
  clock = fakeClock(NOW);
  jest.spyOn(Date, 'now').mockImplementation(() => clock());
});
afterEach(() => jest.restoreAllMocks());

describe('headers', () => {
  it("C20 are X-RateLimit-* where nothing is said, and none of the drafts'", () => {
    expect(names(undefined)).toEqual([
      'cache-control',
      'retry-after',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ]);
  });

  it('C20 are those of the dialects that are named', () => {
    expect(names(['draft-11'])).toEqual(['cache-control', 'ratelimit', 'ratelimit-policy', 'retry-after']);
    expect(names(['draft-6'])).toContain('ratelimit-remaining');
  });

  it('C20 are Retry-After alone where none are wanted', () => {
    expect(names([])).toEqual(['cache-control', 'retry-after']);
  });
});

describe('other dialects', () => {
  it.each<[number[], number]>([
    [[1], 60],
    [[5], 60],
    [[5, 1], 60],
  ])('C34 X-RateLimit-Reset is in seconds since 1970, for costs %j', (costs, seconds) => {
    clock.advance(250);

    const { response } = visitor(clock, [minute], ['x-ratelimit'])(...costs);

    const reset = String(response.getHeader('X-RateLimit-Reset'));
    expect(reset).toMatch(/^\d{10}$/);
    expect(Math.abs(Number(reset) * 1_000 - (clock() + seconds * 1_000))).toBeLessThanOrEqual(1_000);
  });

  it('C37 draft-6 is three integers, and Reset is a time to wait', () => {
    const { response } = visitor(clock, [minute], ['draft-6'])();

    const trio = ['Limit', 'Remaining', 'Reset'].map((name) => response.getHeader(`RateLimit-${name}`));

    expect(trio).toEqual(['5', '4', '60']);
  });

  it('C37 draft-7 is a dictionary of integers, and no list of its names', () => {
    const { response } = visitor(clock, [minute, hour], ['draft-7'])();

    const field = String(response.getHeader('RateLimit'));

    expect([...parseDictionary(field)].map(([name, [value]]) => [name, value])).toEqual([
      ['limit', 5],
      ['remaining', 4],
      ['reset', 60],
    ]);
    expect(() => parseList(field)).toThrow(ParseError);
    expect(parseList(String(response.getHeader('RateLimit-Policy')))).toEqual([[5, new Map([['w', 60]])]]);
  });
});

/** The headers of a denial, in the order of the alphabet. */
function names(headers: readonly HeaderFormat[] | undefined): string[] {
  return visitor(clock, [minute], headers)(5, 1).response.getHeaderNames().toSorted();
}
