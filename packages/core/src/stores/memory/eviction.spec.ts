import { definePolicy, type PolicyOptions } from '../../algorithms/named/policy-options.js';
import { Permits, permitUnits } from '../../algorithms/concurrency/permits.js';
import type { Policy } from '../../model/policy.js';
import { Eviction } from './eviction.js';
import { NONE } from './key-index.js';
import { KeyRecords, SHIFT } from './key-records.js';
import { PolicyPool } from './policy-pool.js';

const NOW = 1e12;
const hour = (limit: number): PolicyOptions => ({ algorithm: 'fixed-window', limit, window: '1h' });

/** A table whose rows have these states. */
function tableOf(states: readonly (readonly [Policy | PolicyOptions, unknown])[]): KeyRecords {
  const records = new KeyRecords(states.length, new PolicyPool());
  for (const [row, [options, state]] of states.entries()) {
    records.keys[row] = `key ${row}`;
    records.write(row << SHIFT, 'quota' in options ? options : definePolicy(options), state);
  }
  return records;
}

/** The row of the key that goes. */
function pickFrom(eviction: Eviction, now = NOW, spared: readonly number[] = []): number {
  const slots = spared.map((row) => row << SHIFT);
  return eviction.pick(now, slots, slots.length) >> SHIFT;
}

function pick(records: KeyRecords, now = NOW, spared: readonly number[] = [], random = 0): number {
  return pickFrom(new Eviction(records, records.keys.length, () => random), now, spared);
}

describe('Eviction', () => {
  it('picks the neighbour with the largest share of its budget left, wherever it begins', () => {
    const table = tableOf([
      [hour(1_000), [500, NOW + 1]],
      [hour(10), [4, NOW + 1]],
      [{ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 10 }, [NOW + 3e5, 0]],
      [hour(10), [1, NOW + 1]],
      [{ limit: 100, window: '1h' }, [Math.floor(NOW / 36e8), 20, 0]],
    ]);

    for (const random of [0, 0.3, 0.9]) {
      expect(pick(table, NOW, [], random)).toBe(3);
      expect(pick(table, NOW, [3], random)).toBe(4);
      expect(pick(table, NOW, [3, 4], random)).toBe(2);
      expect(pick(table, NOW, [3, 4, 2], random)).toBe(1);
      expect(pick(table, NOW, [3, 4, 2, 1], random)).toBe(0);
    }
  });

  it('goes round, so that each choice is among others', () => {
    const table = tableOf(Array.from({ length: 64 }, () => [hour(10), [1, NOW + 1]] as const));
    const eviction = new Eviction(table, 64, () => 0);

    const picked = Array.from({ length: 9 }, () => pickFrom(eviction));

    expect(picked).toEqual([0, 8, 16, 24, 32, 40, 48, 56, 0]);
  });

  it('looks further where eight neighbours have much less left than the latest key that went', () => {
    const used = Array.from({ length: 64 }, (_, row) => [hour(10), [row % 30 === 0 ? 1 : 6, NOW + 1]] as const);
    const eviction = new Eviction(tableOf(used), 64, () => 0);

    expect([0, 1, 2].map(() => pickFrom(eviction))).toEqual([0, 30, 60]);
  });

  it('counts the units that a key has left now', () => {
    const table = tableOf([
      [hour(10), [5, NOW + 9e8]],
      [{ algorithm: 'token-bucket', limit: 10, window: '1s' }, [NOW + 1e6, 0]],
    ]);

    expect(pick(table)).toBe(0);
    expect(pick(table, NOW + 9e5)).toBe(1);
  });

  it('never picks a key that denies one unit', () => {
    const table = tableOf([
      [hour(5), [5, NOW + 1]],
      [{ algorithm: 'token-bucket', limit: 5, window: '1s' }, [NOW + 800_001, 0]],
    ]);

    expect(pick(table)).toBe(NONE);
  });

  it('never picks a key that denies one unit, and could settle a cost', () => {
    const bucket = definePolicy({ algorithm: 'token-bucket', limit: 5, window: '1s', overdraft: 100 });
    const table = tableOf([[bucket.settling!, [NOW + 800_001, 0]]]);

    expect(pick(table)).toBe(NONE);
    expect(pick(table, NOW + 1)).toBe(0);
  });

  it('judges tiers side by side by the one that has least left', () => {
    const records = new KeyRecords(2, new PolicyPool(), 3);
    for (const [row, used] of [
      [0, [1, 1, 5]],
      [1, [4, 4, 4]],
    ] as const) {
      records.keys[row] = `key ${row}`;
      for (const [index, units] of used.entries()) {
        records.write((row << SHIFT) + index, definePolicy(hour(5)), [units, NOW + 1]);
      }
    }

    expect(pick(records)).toBe(1);
    expect(pick(records, NOW, [1])).toBe(NONE);
    expect(pick(records, NOW + 1)).toBe(0);
  });

  it('picks a backoff with more strikes than are free once its block is over, and one without free strikes', () => {
    const strikes = { algorithm: 'backoff', window: '1d', delays: ['1s'], forgive: 'one' } as const;
    const ms = NOW / 1e3;
    const table = tableOf([
      [{ ...strikes, limit: 10 }, [ms, 11]],
      [{ ...strikes, limit: 10 }, [ms, 1]],
    ]);
    const strict = tableOf([[{ ...strikes, limit: 0 }, [ms, 1]]]);

    expect(pick(table)).toBe(1);
    expect(pick(table, NOW + 1e6, [1])).toBe(0);
    expect(pick(strict)).toBe(NONE);
    expect(pick(strict, NOW + 1e6)).toBe(0);
  });

  it('never picks a key whose units are held', () => {
    const permits = new Permits();
    permits.hold(permitUnits('permit', 1, 1), NOW / 1e3 + 1_000);

    expect(pick(tableOf([[{ algorithm: 'concurrency', limit: 5 }, permits]]))).toBe(NONE);
  });

  it('finds the one key of 1 024 that does not deny, and one whose denial has ended or that has changed', () => {
    const policy = definePolicy(hour(5));
    const table = tableOf(Array.from({ length: 1_024 }, () => [policy, [5, NOW + 1e6]] as const));
    table.write(500 << SHIFT, policy, [4, NOW + 1e6]);
    const eviction = new Eviction(table, 1_024, () => 0);

    expect(pickFrom(eviction)).toBe(500);
    expect(pickFrom(eviction, NOW, [500])).toBe(NONE);
    table.write(500 << SHIFT, policy, [5, NOW + 9e5]);
    eviction.forget(500);
    expect([pickFrom(eviction), pickFrom(eviction, NOW + 9e5 - 1)]).toEqual([NONE, NONE]);
    expect(pickFrom(eviction, NOW + 9e5)).toBe(500);
    table.write(700 << SHIFT, policy, [0, NOW + 1e6]);
    eviction.forget(700);
    expect(pickFrom(eviction, NOW + 9e5 - 1)).toBe(700);
  });
});
