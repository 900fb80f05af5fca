import * as fc from 'fast-check';

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

  it('finds what has expired behind keys whose deadline has moved on', () => {
    const table = new KeyTable(16);
    const moved = [1, 2, 3, 4].map((ends) => table.add(`moved ${ends}`, policy, [1, ends]));
    table.add('expired', policy, [1, 5]);
    for (const slot of moved) table.write(slot, policy, [1, 100]);

    table.sweep(5, 1);

    expect(table.find('expired')).toBe(NONE);
    expect(table.size).toBe(4);
  });

  it('finds what has expired behind many keys whose deadline has moved on', () => {
    const table = new KeyTable(1_000);
    for (let number = 0; number < 999; number += 1) table.add(`moved ${number}`, policy, [1, 1 + number]);
    table.add('expired', policy, [1, 1_000]);
    for (let number = 0; number < 999; number += 1) {
      table.write(table.find(`moved ${number}`), policy, [1, 2_000 + number]);
    }

    table.sweep(1_000, 1);
    expect(table.find('expired')).toBe(NONE);

    table.sweep(2_100, 1_000);
    expect(table.size).toBe(898);
  });

  it('has looked at what is due soon, a few at a time', () => {
    const table = new KeyTable(16);
    const moved = [1, 2, 3].map((ends) => table.add(`moved ${ends}`, policy, [1, ends]));
    table.add('expired', policy, [1, 4]);
    for (const slot of moved) table.write(slot, policy, [1, 100]);

    table.tidy(5, 2);
    expect(table.size).toBe(4);

    table.tidy(5, 2);
    expect(table.find('expired')).toBe(NONE);
    expect(table.size).toBe(3);
  });

  it('removes each key when its newest state has expired, and none before', () => {
    const write = fc.record({
      number: fc.nat({ max: 9 }),
      after: fc.integer({ min: 1, max: 40 }),
      later: fc.nat({ max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 100 }), fc.boolean(), (writes, together) => {
        const table = new KeyTable(16);
        const deadlines = new Map<string, number>();
        let now = 0;
        for (const { number, after, later } of writes) {
          const key = `key ${number}`;
          const slot = table.find(key);
          if (slot === NONE) table.add(key, policy, [1, now + after]);
          else table.write(slot, policy, [1, now + after]);
          deadlines.set(key, now + after);
          now += later;
          if (together) table.sweep(now, 16);
          else for (let count = 0; count < 16; count += 1) table.tidy(now, 2);
          for (const [each, deadline] of deadlines) if (deadline <= now) deadlines.delete(each);

          for (let each = 0; each <= 9; each += 1) {
            expect(table.find(`key ${each}`) !== NONE).toBe(deadlines.has(`key ${each}`));
          }
        }
      }),
    );
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
