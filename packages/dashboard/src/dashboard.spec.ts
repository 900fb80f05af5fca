import { ConfigError, createLimiter, memoryStore } from '@sluice/core';
import { createDashboard } from './dashboard.js';
import type { DashboardOptions } from './dashboard-options.js';

const limiter = createLimiter({ key: () => 'all', limit: 1, window: '1m' });

describe('createDashboard', () => {
  it.each<[object, string]>([
    [{ store: limiter }, 'createDashboard: store must be a store, not a limiter: write createLimiter({ store, … })'],
    [{ store: {} }, 'createDashboard: store must be the store of the limiters, such as redisStore({ url })'],
    [
      { store: memoryStore(), readOnly: false },
      'createDashboard: readOnly can be false only with authorize: pass authorize: (request) => the name of the person',
    ],
    [{ store: memoryStore(), fleet: true }, 'createDashboard: fleet needs a store in Redis'],
  ])('refuses %p', (options, message) => {
    expect(() => createDashboard(options as DashboardOptions)).toThrow(ConfigError);
    expect(() => createDashboard(options as DashboardOptions)).toThrow(message);
  });
});
