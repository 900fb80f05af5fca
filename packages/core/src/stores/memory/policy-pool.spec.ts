import { definePolicy } from '../../algorithms/named/policy-options.js';
import { PolicyPool } from './policy-pool.js';

const limitOf = (limit: number) => definePolicy({ limit, window: '1m' });

describe('PolicyPool', () => {
  it('gives equal policies one number', () => {
    const pool = new PolicyPool();

    expect([pool.acquire(limitOf(5)), pool.acquire(limitOf(5)), pool.acquire(limitOf(6))]).toEqual([0, 0, 1]);
    expect(pool.at(1).limit).toBe(6);
    expect(pool.size).toBe(2);
  });

  it('distinguishes policies with equal numbers and other dimensions', () => {
    const pool = new PolicyPool();

    const minute = pool.acquire(definePolicy({ algorithm: 'token-bucket', limit: 5, window: '1m' }));
    const two = pool.acquire(definePolicy({ algorithm: 'token-bucket', limit: 10, window: '2m' }));

    expect(minute).not.toBe(two);
  });

  it('holds a policy until its last user releases it', () => {
    const pool = new PolicyPool();
    const number = pool.acquire(limitOf(5));
    pool.acquire(limitOf(5));

    pool.release(number);
    expect(pool.at(number).limit).toBe(5);

    pool.release(number);
    for (let limit = 1; limit <= 1_000; limit += 1) pool.release(pool.acquire(limitOf(limit)));
    expect(pool.size).toBe(0);
    expect(pool.acquire(limitOf(1))).toBe(0);
  });

  it('gives a policy that comes back another number if its old one is in use', () => {
    const pool = new PolicyPool();
    const policy = limitOf(5);
    pool.release(pool.acquire(policy));
    const taken = pool.acquire(limitOf(6));

    const number = pool.acquire(policy);

    expect(number).not.toBe(taken);
    expect(pool.at(number)).toBe(policy);
    expect(pool.acquire(limitOf(5))).toBe(number);
  });
});
