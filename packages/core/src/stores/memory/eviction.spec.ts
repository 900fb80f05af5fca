import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import { pickVictim } from './eviction.js';
import { NONE } from './key-index.js';
import { KeyTable } from './key-table.js';

const NOW = 1e12;
const hour = (limit: number): PolicyOptions => ({ algorithm: 'fixed-window', limit, window: '1h' });

function tableOf(keys: [PolicyOptions, unknown][]): KeyTable {
  const table = new KeyTable(16);
  for (const [number, [options, state]] of keys.entries()) table.add(`key ${number}`, definePolicy(options), state);
  return table;
}

/** Samples keys by their number, the last one again and again. */
function sampling(table: KeyTable, ...numbers: number[]): () => number {
  const places = Array.from({ length: table.size }, (_, place) => table.at(place));
  let sample = 0;
  return () => {
    const number = numbers[Math.min(sample, numbers.length - 1)]!;
    sample += 1;
    return (places.indexOf(table.find(`key ${number}`)) + 0.5) / places.length;
  };
}

describe('pickVictim', () => {
  it('picks the sampled key with the largest share of its budget left', () => {
    const table = tableOf([
      [hour(1_000), [500, NOW + 1]],
      [hour(10), [4, NOW + 1]],
      [{ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 10 }, [NOW + 3e5, 0]],
      [hour(10), [0, NOW + 1]],
    ]);

    expect(pickVictim(table, NOW, [], sampling(table, 0, 1))).toBe(table.find('key 1'));
    expect(pickVictim(table, NOW, [], sampling(table, 0, 1, 2))).toBe(table.find('key 2'));
    expect(pickVictim(table, NOW, [], sampling(table, 3, 2, 1, 0))).toBe(table.find('key 3'));
  });

  it('counts the units that a key has left now', () => {
    const table = tableOf([
      [hour(10), [5, NOW + 9e8]],
      [{ algorithm: 'token-bucket', limit: 10, window: '1s' }, [NOW + 1e6, 0]],
    ]);

    expect(pickVictim(table, NOW, [], sampling(table, 0, 1))).toBe(table.find('key 0'));
    expect(pickVictim(table, NOW + 9e5, [], sampling(table, 0, 1))).toBe(table.find('key 1'));
  });

  it('never picks a key that denies one unit', () => {
    const table = tableOf([
      [hour(5), [5, NOW + 1]],
      [{ algorithm: 'token-bucket', limit: 5, window: '1s' }, [NOW + 800_001, 0]],
    ]);

    expect(pickVictim(table, NOW, [])).toBe(NONE);
  });

  it('never picks a key that denies one unit, and could settle a cost', () => {
    const bucket = definePolicy({ algorithm: 'token-bucket', limit: 5, window: '1s', overdraft: 100 });
    const table = new KeyTable(16);
    table.add('key', bucket.settling!, [NOW + 800_001, 0]);

    expect(pickVictim(table, NOW, [])).toBe(NONE);
    expect(pickVictim(table, NOW + 1, [])).toBe(table.find('key'));
  });

  it('never picks a spared key', () => {
    const table = tableOf([
      [hour(5), [0, NOW + 1]],
      [hour(5), [4, NOW + 1]],
    ]);

    expect(pickVictim(table, NOW, [table.find('key 0')], sampling(table, 0, 1))).toBe(table.find('key 1'));
    expect(pickVictim(table, NOW, [table.find('key 0'), table.find('key 1')])).toBe(NONE);
  });

  it('samples eight keys', () => {
    const random = jest.fn(() => 0);

    pickVictim(tableOf([[hour(5), [0, NOW + 1]]]), NOW, [], random);

    expect(random).toHaveBeenCalledTimes(8);
  });
});
