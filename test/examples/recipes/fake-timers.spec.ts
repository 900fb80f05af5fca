import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';
import { execute } from '../../support/child.js';

const folder = join(root, 'examples', 'recipes');

/** The recipe as a test of jest, with a limiter that is made before fake timers are used. */
const JEST_TEST = `
const { createLimiter, memoryStore } = require('@sluice/core');
const { overridesOf } = require('@sluice/policies/overrides');

const make = () =>
  createLimiter({ store: memoryStore(), name: 'invites', key: (user) => user, limit: 1, window: '1h' });
const atLoad = make();

afterEach(() => jest.useRealTimers());

async function invitesAnHourLater(invites) {
  await invites.consume('ada');
  const denied = await invites.consume('ada');
  jest.advanceTimersByTime(denied.retryAfter - 1);
  const before = await invites.consume('ada');
  jest.advanceTimersByTime(1);
  const after = await invites.consume('ada');
  expect([denied, before, after].map(({ allowed }) => allowed)).toEqual([false, false, true]);
}

test('moves a limiter that was made at load', async () => {
  jest.useFakeTimers();
  await invitesAnHourLater(atLoad);
});

test('moves a limiter that was made later, and one that has been moved before', async () => {
  jest.useFakeTimers({ now: Date.now() + 7.2e6 });
  await invitesAnHourLater(make());
  await invitesAnHourLater(atLoad);
});

test('ends an override', async () => {
  jest.useFakeTimers();
  const invites = make();
  overridesOf(invites).set({ tier: 'invites', identity: 'ada', limit: 0, until: Date.now() + 60000, reason: 'a test' });
  const denied = await invites.consume('ada');
  jest.advanceTimersByTime(60000);
  expect([denied.allowed, (await invites.consume('ada')).allowed]).toEqual([false, true]);
});
`;

it('the recipe fake-timers passes as a test of Node', async () => {
  const path = join(folder, 'fake-timers.test.js');

  const { stdout } = await execute(process.execPath, ['--test', '--test-reporter=tap', path]);

  expect(stdout).toContain('# pass 1');
  expect(stdout).toContain('# fail 0');
});

it('the recipe fake-timers passes as a test of jest', async () => {
  // In the folder of the example, whose dependencies the test has.
  const own = mkdtempSync(join(folder, 'jest-'));
  try {
    writeFileSync(join(own, 'fake-timers.test.cjs'), JEST_TEST);
    const config = JSON.stringify({ rootDir: own, testMatch: ['**/*.test.cjs'], transform: {}, haste: {} });
    const jest = createRequire(import.meta.url).resolve('jest/bin/jest');

    const { stderr } = await execute(process.execPath, [jest, '--config', config, '-i', '--no-cache'], { cwd: own });

    expect(stderr).toContain('Tests:       3 passed, 3 total');
  } finally {
    rmSync(own, { recursive: true });
  }
});
