import { definePolicy } from '../../algorithms/named/policy-options.js';
import type { Policy } from '../../model/policy.js';
import { NONE } from './key-index.js';
import { KeyTable } from './key-table.js';
import { expiresAt } from './state-expiry.js';

const policy = definePolicy({ algorithm: 'fixed-window', limit: 5, window: '1h' });

function add(table: KeyTable, key: string, state: unknown, own: Policy = policy): number {
  return table.add(table.roomFor(0, [], 0), key, own, state);
}

describe('KeyTable', () => {
  it('holds every state while it grows', () => {
    const table = new KeyTable(1_000);

    for (let number = 0; number < 1_000; number += 1) add(table, `key ${number}`, [number, 1e6 + number]);

    expect([table.size, table.free]).toEqual([1_000, 0]);
    for (let number = 0; number < 1_000; number += 1) {
      const slot = table.find(`key ${number}`);
      expect(table.records.stateOf(slot)).toEqual([number, 1e6 + number]);
      expect(expiresAt(table.records, slot)).toBe(1e6 + number);
      expect(table.records.policyOf(slot)).toBe(policy);
    }
  });

  it('makes room by the requested number of expired keys, the earliest first', () => {
    const table = new KeyTable(16);
    for (const ends of [30, 10, 40, 20]) add(table, `ends ${ends}`, [1, ends]);

    table.makeRoom(30, 2);

    expect([10, 20, 30, 40].map((ends) => table.find(`ends ${ends}`) !== NONE)).toEqual([false, false, true, true]);
  });

  it('makes room by an expired key behind many keys that expire later than planned', () => {
    const table = new KeyTable(1_000);
    for (let number = 0; number < 999; number += 1) add(table, `moved ${number}`, [1, 1 + number]);
    add(table, 'expired', [1, 1_000]);
    for (let number = 0; number < 999; number += 1) {
      table.write(table.find(`moved ${number}`), policy, [1, 2_000 + number]);
    }

    table.makeRoom(1_000, 1);
    expect(table.find('expired')).toBe(NONE);

    table.makeRoom(2_100, 1_000);
    expect(table.size).toBe(898);
  });

  it('expires some keys with a bounded number of checks', () => {
    const table = new KeyTable(16);
    const moved = [1, 2, 3].map((ends) => add(table, `moved ${ends}`, [1, ends]));
    add(table, 'expired', [1, 4]);
    for (const slot of moved) table.write(slot, policy, [1, 100]);

    table.expireSome(5, 2);
    expect(table.size).toBe(4);

    table.expireSome(5, 2);
    expect(table.find('expired')).toBe(NONE);
    expect(table.size).toBe(3);
  });

  it('reports expiry in microseconds with any tick', () => {
    const table = new KeyTable(16);
    const coarse = definePolicy({ limit: 1e6, window: '30d' });

    const slot = add(table, 'key', [1, 1, 0], coarse);

    expect(coarse.tick).toBeGreaterThan(1);
    expect(expiresAt(table.records, slot)).toBe(3 * 30 * 86_400 * 1e6);
  });

  it('holds only the policies of its keys', () => {
    const table = new KeyTable(16);
    const slot = add(table, 'key', [0, 10]);
    add(table, 'other', [0, 10]);

    for (let limit = 1; limit <= 100; limit += 1) {
      table.write(slot, definePolicy({ algorithm: 'fixed-window', limit, window: '1h' }), [0, 10]);
    }

    expect(table.records.policyOf(slot).limit).toBe(100);
    expect(table.policies).toBe(2);
    table.makeRoom(10, 16);
    expect(table.policies).toBe(0);
  });

  it('drops the texts of a key with the key', () => {
    const table = new KeyTable(16);
    const slot = add(table, 'key', [0, 10]);
    table.texts.add(slot, 'text');

    table.remove(slot);

    expect(table.texts.of(add(table, 'next', [0, 10]))).toEqual([]);
  });

  it('gives each claim of a request a room of its own, and the place of a claim that is not charged to the next one', () => {
    const table = new KeyTable(16);
    for (let number = 0; number < 15; number += 1) add(table, `key ${number}`, [1, 1e9]);
    const free = table.roomFor(0, [NONE, NONE], 2);
    const victim = table.roomFor(0, [free, NONE], 2);

    table.add(victim, 'second', policy, [1, 1e9]);

    expect([table.size, free === victim]).toEqual([16, false]);
    expect(table.find('second')).not.toBe(NONE);
  });

  it('replaces a key in its slot, and has no room while one that has expired could go', () => {
    const table = new KeyTable(16);
    for (let number = 0; number < 16; number += 1) add(table, `key ${number}`, [number, 1_000]);
    const room = table.roomFor(999, [], 0);
    const left = Array.from({ length: 16 }, (_, number) => `key ${number}`).find((key) => table.find(key) === room)!;

    expect(table.roomFor(1_000, [], 0)).toBe(NONE);
    expect(table.add(room, 'new', policy, [1, 500])).toBe(room);

    expect([table.size, table.find(left), table.find('new')]).toEqual([16, NONE, room]);
    table.makeRoom(500, 16);
    expect([table.size, table.find('new')]).toEqual([15, NONE]);
  });
});

describe('KeyTable with tiers side by side', () => {
  const ENDS = [':minute:fw1', ':hour:fw2', ':day:fw3'];
  const keysOf = (digest: string) => ENDS.map((end) => `rl:{${digest}}${end}`);

  it('stores the states of an identity under one key, in slots that follow each other', () => {
    const table = new KeyTable(16);
    expect(table.join(ENDS)).toBe(true);
    const [minute, hour, day] = keysOf('ada');

    const slots = [day, minute, hour].map((key, index) => add(table, key!, [index, 10 + index]));

    expect(slots).toEqual([slots[1]! + 2, slots[1], slots[1]! + 1]);
    expect(keysOf('ada').map((key) => table.records.stateOf(table.find(key)))).toEqual([
      [1, 11],
      [2, 12],
      [0, 10],
    ]);
    expect([table.size, table.find('rl:{ada}:week:fw4'), table.find(keysOf('bob')[0]!)]).toEqual([1, NONE, NONE]);
  });

  it('removes one state and leaves the others, and the row with the last of them', () => {
    const table = new KeyTable(16);
    table.join(ENDS);
    for (const key of keysOf('ada')) add(table, key, [1, 10]);
    const [minute, hour, day] = keysOf('ada');

    table.remove(table.find(minute!));
    expect([table.find(minute!), table.size, table.find(hour!) !== NONE]).toEqual([NONE, 1, true]);
    table.remove(table.find(hour!));
    table.remove(table.find(day!));

    expect([table.size, table.policies]).toEqual([0, 0]);
  });

  it('holds a row until all of its states have expired', () => {
    const table = new KeyTable(16);
    table.join(ENDS);
    for (const [index, key] of keysOf('ada').entries()) add(table, key, [1, 10 + index]);

    table.makeRoom(11, 1);
    expect(table.size).toBe(1);

    table.makeRoom(12, 1);
    expect(table.size).toBe(0);
  });

  it('lets tiers join only before there are keys, four at most, in one row and one order', () => {
    const table = new KeyTable(16);

    expect(table.join(['a'])).toBe(false);
    expect(table.join(['a', 'b', 'c', 'd', 'e'])).toBe(false);
    expect(table.join(['a', 'a'])).toBe(false);
    expect(table.join(ENDS)).toBe(true);
    expect([table.join(ENDS), table.join(ENDS.slice(0, 2)), table.join(ENDS.toReversed())]).toEqual([
      true,
      true,
      false,
    ]);
    expect(table.join([':week:fw4', ENDS[0]!])).toBe(false);
    add(table, 'key', [1, 10]);
    expect([table.join(['e', 'f']), table.join(ENDS)]).toEqual([false, true]);
  });
});
