// A test of your application with the fake timers of its runner: they move a limiter in memory that the application has made.
//
// - Nothing is passed: a memory store reads `Date`, which fake timers replace. It does not matter which was first.
// - node:test needs `apis: ['Date']` and a time to begin with: without `now` the test begins in 1970.
// - In jest `jest.useFakeTimers()` and `jest.advanceTimersByTime(60_000)` do the same, in vitest `vi.useFakeTimers()` and
//   `vi.advanceTimersByTime(60_000)`.
// - Fake timers also stop what waits for a real timer or socket: with a Redis store use `reset` or another prefix.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createLimiter } from '@sluice/core';

/** Of your application. */
const invites = createLimiter({ name: 'invites', key: (/** @type {string} */ user) => user, limit: 1, window: '1h' });

test('invites another person an hour later', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  await invites.consume('ada');
  const denied = await invites.consume('ada');

  mock.timers.tick(denied.retryAfter - 1);
  const before = await invites.consume('ada');
  mock.timers.tick(1);
  const after = await invites.consume('ada');
  mock.timers.reset();

  assert.deepEqual(
    [denied, before, after].map(({ allowed }) => allowed),
    [false, false, true],
  );
});
