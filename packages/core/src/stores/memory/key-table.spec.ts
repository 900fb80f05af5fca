import { definePolicy } from '../../algorithms/policy-options.js';
import { NONE } from './key-index.js';
import { KeyTable } from './key-table.js';

const policy = definePolicy({ algorithm: 'fixed-window', limit: 5, window: '1h' });

describe('KeyTable', () => {
  it('keeps every state while it grows', () => {
    const table = new KeyTable(1_000);

    for (let number = 0; number < 1_000; number += 1) table.add(`key ${number}`, policy, [number, 1e6 + number]);

    expect(table.size).toBe(1_000);
    expect(table.free).toBe(0);
    for (let number = 0; number < 1_000; number += 1) {
      const slot = table.find(`key ${number}`);
      expect(table.stateOf(slot)).toEqual([number, 1e6 + number]);
      expect(table.deadlineOf(slot)).toBe(1e6 + number);
      expect(table.policyOf(slot)).toBe(policy);
    }
  });

  it('removes of what has expired at most what it is told, the earliest first', () => {
    const table = new KeyTable(16);
    for (const ends of [30, 10, 40, 20]) table.add(`ends ${ends}`, policy, [1, ends]);

    table.sweep(30, 2);

    expect([10, 20, 30, 40].map((ends) => table.find(`ends ${ends}`) !== NONE)).toEqual([false, false, true, true]);
  });

  it('removes nothing before its deadline', () => {
    const table = new KeyTable(16);
    table.add('key', policy, [1, 10]);

    table.sweep(9, 16);

    expect(table.size).toBe(1);
  });

  it('goes by the deadline of the newest state', () => {
    const table = new KeyTable(16);
    const later = table.add('later', policy, [1, 10]);
    const sooner = table.add('sooner', policy, [1, 100]);

    table.write(later, policy, [1, 100]);
    table.write(sooner, policy, [1, 10]);
    table.sweep(10, 16);

    expect([table.find('later'), table.find('sooner')]).toEqual([later, NONE]);
  });

  it('says deadlines in microseconds, whatever the tick', () => {
    const table = new KeyTable(16);
    const coarse = definePolicy({ limit: 1e6, window: '30d' });

    const slot = table.add('key', coarse, [1, 1, 0]);

    expect(coarse.tick).toBeGreaterThan(1);
    expect(table.deadlineOf(slot)).toBe(3 * 30 * 86_400 * 1e6);
  });

  it('holds no more policies than its keys have', () => {
    const table = new KeyTable(16);
    const slot = table.add('key', policy, [0, 10]);
    table.add('other', policy, [0, 10]);

    for (let limit = 1; limit <= 100; limit += 1) {
      table.write(slot, definePolicy({ algorithm: 'fixed-window', limit, window: '1h' }), [0, 10]);
    }

    expect(table.policyOf(slot).limit).toBe(100);
    expect(table.policies).toBe(2);
    table.sweep(10, 16);
    expect(table.policies).toBe(0);
  });

  it('forgets the texts of a key with the key', () => {
    const table = new KeyTable(16);
    const slot = table.add('key', policy, [0, 10]);
    table.note(slot, 'text');

    table.remove(slot);

    expect(table.notesOf(table.add('next', policy, [0, 10]))).toEqual([]);
  });
});
