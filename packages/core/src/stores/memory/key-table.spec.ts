import { definePolicy } from '../../algorithms/policy-options.js';
import { NONE } from './key-index.js';
import { KeyTable } from './key-table.js';

type Hinted = Parameters<KeyTable['slotOf']>[0];

const policy = definePolicy({ algorithm: 'fixed-window', limit: 5, window: '1h' });

describe('KeyTable', () => {
  it('holds every state while it grows', () => {
    const table = new KeyTable(1_000);

    for (let number = 0; number < 1_000; number += 1) table.add(`key ${number}`, policy, [number, 1e6 + number]);

    expect([table.size, table.free]).toEqual([1_000, 0]);
    for (let number = 0; number < 1_000; number += 1) {
      const slot = table.find(`key ${number}`);
      expect(table.stateOf(slot)).toEqual([number, 1e6 + number]);
      expect(table.expiresAt(slot)).toBe(1e6 + number);
      expect(table.policyOf(slot)).toBe(policy);
    }
  });

  it('finds a key where its hint says only while the key is there', () => {
    const table = new KeyTable(16);
    const [ada, bob] = ['ada', 'bob'].map((key) => ({ key, slotHint: { slot: 0 } })) as [Hinted, Hinted];
    expect(table.slotOf(ada)).toBe(NONE);

    const first = table.add('ada', policy, [1, 10]);
    const second = table.add('bob', policy, [1, 20]);
    expect([table.slotOf(ada), table.slotOf(bob)]).toEqual([first, second]);
    table.remove(first);
    expect([table.slotOf(ada), table.slotOf(bob)]).toEqual([NONE, second]);
    // The slot of the key that was removed goes to the next one.
    const third = table.add('eve', policy, [1, 30]);
    const again = table.add('ada', policy, [1, 40]);

    expect([third, table.slotOf(ada), table.slotOf(bob)]).toEqual([first, again, second]);
  });

  it('looks no key up whose hint is right', () => {
    const table = new KeyTable(16);
    const ada: Hinted = { key: 'ada', slotHint: { slot: 0 } };
    const slot = table.add('ada', policy, [1, 10]);
    table.slotOf(ada);
    const looked = jest.spyOn(table, 'find');

    expect(table.slotOf(ada)).toBe(slot);

    expect(looked).not.toHaveBeenCalled();
  });

  it('makes room by the requested number of expired keys, the earliest first', () => {
    const table = new KeyTable(16);
    for (const ends of [30, 10, 40, 20]) table.add(`ends ${ends}`, policy, [1, ends]);

    table.makeRoom(30, 2);

    expect([10, 20, 30, 40].map((ends) => table.find(`ends ${ends}`) !== NONE)).toEqual([false, false, true, true]);
  });

  it('makes room by an expired key behind many keys that expire later than planned', () => {
    const table = new KeyTable(1_000);
    for (let number = 0; number < 999; number += 1) table.add(`moved ${number}`, policy, [1, 1 + number]);
    table.add('expired', policy, [1, 1_000]);
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
    const moved = [1, 2, 3].map((ends) => table.add(`moved ${ends}`, policy, [1, ends]));
    table.add('expired', policy, [1, 4]);
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

    const slot = table.add('key', coarse, [1, 1, 0]);

    expect(coarse.tick).toBeGreaterThan(1);
    expect(table.expiresAt(slot)).toBe(3 * 30 * 86_400 * 1e6);
  });

  it('holds only the policies of its keys', () => {
    const table = new KeyTable(16);
    const slot = table.add('key', policy, [0, 10]);
    table.add('other', policy, [0, 10]);

    for (let limit = 1; limit <= 100; limit += 1) {
      table.write(slot, definePolicy({ algorithm: 'fixed-window', limit, window: '1h' }), [0, 10]);
    }

    expect(table.policyOf(slot).limit).toBe(100);
    expect(table.policies).toBe(2);
    table.makeRoom(10, 16);
    expect(table.policies).toBe(0);
  });

  it('drops the texts of a key with the key', () => {
    const table = new KeyTable(16);
    const slot = table.add('key', policy, [0, 10]);
    table.addText(slot, 'text');

    table.remove(slot);

    expect(table.textsOf(table.add('next', policy, [0, 10]))).toEqual([]);
  });
});
