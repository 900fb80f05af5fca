import { alternativesOf, lineOf, lowestOf } from './version-range.js';

describe('alternativesOf', () => {
  it('splits a range', () => {
    expect(alternativesOf('^5.11.0 || ^6.0.0')).toEqual(['^5.11.0', '^6.0.0']);
    expect(alternativesOf('>=15.0.0')).toEqual(['>=15.0.0']);
  });
});

describe('lowestOf', () => {
  it.each([
    ['^5.11.0', '5.11.0'],
    ['>=20.19', '20.19.0'],
    ['~0.16.1', '0.16.1'],
    ['4', '4.0.0'],
  ])('finds the lowest version of %s', (range, lowest) => {
    expect(lowestOf(range)).toBe(lowest);
  });

  it('refuses a text without a version', () => {
    expect(() => lowestOf('workspace:*')).toThrow('workspace:* names no version');
  });
});

describe('lineOf', () => {
  it.each([
    ['^5.11.0', '5'],
    ['12.5.1', '12'],
    ['^0.1.12', '0.1'],
  ])('finds what stays the same in %s', (version, line) => {
    expect(lineOf(version)).toBe(line);
  });
});
