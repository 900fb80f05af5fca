// A test of your application with a clock that moves by hand: no sleep, and the same result on a slow machine.
//
// - Pass the store to what you test, and give each test its own. The clock of Redis cannot be replaced.
// - `advance` takes a duration. A step back must not give a client more: clocks of machines do that.
// - For a service that is tested over HTTP, pass the store to `rateLimit({ store })` in the same way.
// - Run it by `node --test`. With vitest import `test` from vitest, with jest none: its `test` is global.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter, memoryStore } from '@sluice/core';
import { fakeClock } from '@sluice/testing';

/** Of your application. @param {import('@sluice/core').Store} [store] */
function createInvites(store = memoryStore()) {
  return createLimiter({ store, name: 'invites', key: (/** @type {string} */ user) => user, limit: 2, window: '1h' });
}

test('invites another person after the wait that it has announced, and not a millisecond before', async () => {
  const clock = fakeClock();
  const invites = createInvites(memoryStore({ clock }));
  await invites.consume('ada');
  await invites.consume('ada');

  const { allowed, retryAfter } = await invites.consume('ada');

  assert.equal(allowed, false);
  clock.advance(Math.ceil(retryAfter) - 1);
  assert.equal((await invites.consume('ada')).allowed, false);
  clock.advance(1);
  assert.equal((await invites.consume('ada')).allowed, true);
});

test('gives nothing for a clock that steps back', async () => {
  const clock = fakeClock();
  const invites = createInvites(memoryStore({ clock }));
  await invites.consume('ada');
  await invites.consume('ada');

  clock.step(-3_600_000);

  assert.equal((await invites.consume('ada')).allowed, false);
});
