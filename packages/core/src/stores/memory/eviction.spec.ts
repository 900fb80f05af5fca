import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import { Permits, permitUnits } from '../../algorithms/concurrency/permits.js';
import { Eviction } from './eviction.js';
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

describe('Eviction', () => {
  it('picks the sampled key with the largest share of its budget left', () => {
    const table = tableOf([
      [hour(1_000), [500, NOW + 1]],
      [hour(10), [4, NOW + 1]],
      [{ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 10 }, [NOW + 3e5, 0]],
      [hour(10), [0, NOW + 1]],
    ]);

    expect(new Eviction(table, sampling(table, 0, 1)).pick(NOW, [])).toBe(table.find('key 1'));
    expect(new Eviction(table, sampling(table, 0, 1, 2)).pick(NOW, [])).toBe(table.find('key 2'));
    expect(new Eviction(table, sampling(table, 3, 2, 1, 0)).pick(NOW, [])).toBe(table.find('key 3'));
  });

  it('counts the units that a key has left now', () => {
    const table = tableOf([
      [hour(10), [5, NOW + 9e8]],
      [{ algorithm: 'token-bucket', limit: 10, window: '1s' }, [NOW + 1e6, 0]],
    ]);

    expect(new Eviction(table, sampling(table, 0, 1)).pick(NOW, [])).toBe(table.find('key 0'));
    expect(new Eviction(table, sampling(table, 0, 1)).pick(NOW + 9e5, [])).toBe(table.find('key 1'));
  });

  it('never picks a key that denies one unit', () => {
    const table = tableOf([
      [hour(5), [5, NOW + 1]],
      [{ algorithm: 'token-bucket', limit: 5, window: '1s' }, [NOW + 800_001, 0]],
    ]);

    expect(new Eviction(table).pick(NOW, [])).toBe(NONE);
  });

  it('never picks a key that denies one unit, and could settle a cost', () => {
    const bucket = definePolicy({ algorithm: 'token-bucket', limit: 5, window: '1s', overdraft: 100 });
    const table = new KeyTable(16);
    table.add('key', bucket.settling!, [NOW + 800_001, 0]);

    expect(new Eviction(table).pick(NOW, [])).toBe(NONE);
    expect(new Eviction(table).pick(NOW + 1, [])).toBe(table.find('key'));
  });

  it('never picks a spared key', () => {
    const table = tableOf([
      [hour(5), [0, NOW + 1]],
      [hour(5), [4, NOW + 1]],
    ]);

    expect(new Eviction(table, sampling(table, 0, 1)).pick(NOW, [table.find('key 0')])).toBe(table.find('key 1'));
    expect(new Eviction(table).pick(NOW, [table.find('key 0'), table.find('key 1')])).toBe(NONE);
  });

  it('picks a backoff with more strikes than are free once its block is over, and one without free strikes', () => {
    const strikes = { algorithm: 'backoff', window: '1d', delays: ['1s'], forgive: 'one' } as const;
    const ms = NOW / 1e3;
    const table = tableOf([
      [{ ...strikes, limit: 10 }, [ms, 11]],
      [{ ...strikes, limit: 10 }, [ms, 1]],
    ]);
    const strict = tableOf([[{ ...strikes, limit: 0 }, [ms, 1]]]);

    expect(new Eviction(table, sampling(table, 0, 1)).pick(NOW, [])).toBe(table.find('key 1'));
    expect(new Eviction(table, sampling(table, 0)).pick(NOW + 1e6, [table.find('key 1')])).toBe(table.find('key 0'));
    expect(new Eviction(strict).pick(NOW, [])).toBe(NONE);
    expect(new Eviction(strict).pick(NOW + 1e6, [])).toBe(strict.find('key 0'));
  });

  it('never picks a key whose units are held', () => {
    const table = new KeyTable(16);
    const permits = new Permits();
    permits.hold(permitUnits('permit', 1, 1), NOW / 1e3 + 1_000);
    table.add('key', definePolicy({ algorithm: 'concurrency', limit: 5 }), permits);

    expect(new Eviction(table).pick(NOW, [])).toBe(NONE);
  });

  it('finds the one key of 1 024 that does not deny, and one whose denial has ended or that has changed', () => {
    const table = new KeyTable(1_024);
    const policy = definePolicy(hour(5));
    for (let number = 0; number < 1_024; number += 1) table.add(`key ${number}`, policy, [5, NOW + 1e6]);
    const slot = table.find('key 500');
    table.write(slot, policy, [4, NOW + 1e6]);
    const eviction = new Eviction(table, () => 0);

    expect(eviction.pick(NOW, [])).toBe(slot);
    expect(eviction.pick(NOW, [slot])).toBe(NONE);
    table.write(slot, policy, [5, NOW + 9e5]);
    eviction.forget(slot);
    expect([eviction.pick(NOW, []), eviction.pick(NOW + 9e5 - 1, [])]).toEqual([NONE, NONE]);
    expect(eviction.pick(NOW + 9e5, [])).toBe(slot);
    table.write(table.find('key 700'), policy, [0, NOW + 1e6]);
    eviction.forget(table.find('key 700'));
    expect(eviction.pick(NOW + 9e5 - 1, [])).toBe(table.find('key 700'));
  });

  it('samples eight keys', () => {
    const random = jest.fn(() => 0);

    new Eviction(tableOf([[hour(5), [0, NOW + 1]]]), random).pick(NOW, []);

    expect(random).toHaveBeenCalledTimes(8);
  });
});
