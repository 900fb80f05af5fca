import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { ConfigError, createLimiter, memoryStore } from '@sluice/core';
import { closeServer, listen } from '../../../test/support/site.js';
import { until } from '../../../test/support/until.js';
import { createDashboard } from './dashboard.js';
import type { DashboardOptions } from './dashboard-options.js';

const limiter = createLimiter({ key: () => 'all', limit: 1, window: '1m' });

describe('createDashboard', () => {
  it.each<[object, string]>([
    [{ store: limiter }, 'createDashboard: store must be a store, not a limiter: write createLimiter({ store, … })'],
    [{ store: {} }, 'createDashboard: store must be the store of the limiters, such as redisStore({ url })'],
    [
      { store: memoryStore(), readOnly: false },
      'createDashboard: readOnly can be false only with authorize or tokens: pass authorize: (request) => the name of the person',
    ],
    [{ store: memoryStore(), fleet: true }, 'createDashboard: fleet needs a store in Redis'],
  ])('refuses %p', (options, message) => {
    expect(() => createDashboard(options as DashboardOptions)).toThrow(ConfigError);
    expect(() => createDashboard(options as DashboardOptions)).toThrow(message);
  });

  it('ends no process where the event of a second cannot be made', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const store = memoryStore();
    const dashboard = createDashboard({ store, authorize: () => true });
    const server = createServer(dashboard.handle);
    const address = (await listen(server)) as { readonly host: string; readonly port: number };
    const request = get({ ...address, path: '/api/events', agent: false }).on('error', () => undefined);
    await once(request, 'response');
    jest.spyOn(store, 'stats').mockImplementation(() => {
      throw new Error('odd');
    });

    await until(() => warned.mock.calls.length > 0);

    const [message] = warned.mock.calls[0]!;
    warned.mockRestore();
    request.destroy();
    dashboard.close();
    await closeServer(server);
    expect(message).toBe('createDashboard: a request or an event of the page failed: Error: odd');
  });
});
