import { definePolicy } from '../../algorithms/policy-options.js';
import type { Policy } from '../../model/policy.js';
import { PolicyList } from './policy-list.js';

describe('PolicyList', () => {
  it('numbers equal policies alike', () => {
    const list = new PolicyList();

    const numbers = [list.acquire(limitOf(5)), list.acquire(limitOf(5)), list.acquire(limitOf(6))];

    expect(numbers).toEqual([0, 0, 1]);
    expect(list.at(1).limit).toBe(6);
    expect(list.size).toBe(2);
  });

  it('tells policies apart that have equal numbers and other dimensions', () => {
    const list = new PolicyList();

    const meter = list.acquire(definePolicy({ algorithm: 'token-bucket', limit: 5, window: '1m' }));
    const other = list.acquire(definePolicy({ algorithm: 'token-bucket', limit: 10, window: '2m' }));

    expect(meter).not.toBe(other);
  });

  it('holds no more than are in use', () => {
    const list = new PolicyList();

    for (let limit = 1; limit <= 1_000; limit += 1) list.release(list.acquire(limitOf(limit)));

    expect(list.size).toBe(0);
    expect(list.acquire(limitOf(1))).toBe(0);
  });

  it('keeps a policy while one user is left', () => {
    const list = new PolicyList();
    const number = list.acquire(limitOf(5));
    list.acquire(limitOf(5));

    list.release(number);

    expect(list.at(number).limit).toBe(5);
  });

  it('knows a policy again that was gone, though another took its number', () => {
    const list = new PolicyList();
    const policy = limitOf(5);
    list.release(list.acquire(policy));
    const taken = list.acquire(limitOf(6));

    const number = list.acquire(policy);

    expect(number).not.toBe(taken);
    expect(list.at(number)).toBe(policy);
    expect(list.acquire(limitOf(5))).toBe(number);
  });
});

function limitOf(limit: number): Policy {
  return definePolicy({ limit, window: '1m' });
}
