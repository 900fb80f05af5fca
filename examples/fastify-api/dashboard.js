import { createDashboard } from '@sluice/dashboard';

/** @import { Dashboard } from '@sluice/dashboard' */
/** @import { Store } from '@sluice/fastify' */
/** @import { FastifyInstance } from 'fastify' */

/**
 * Serves the live page of the limits on /sluice, by the link with its token. In production pass `authorize`.
 *
 * @param {FastifyInstance} app
 * @param {Store} store
 * @param {boolean} fleet several processes may share the store
 * @returns {Promise<Dashboard>}
 */
export async function serveDashboard(app, store, fleet) {
  const dashboard = createDashboard({ store, fleet });
  await app.register(dashboard.fastify, { prefix: '/sluice' });
  // Before the server waits for its connections: an open page is one of them.
  app.addHook('preClose', async () => dashboard.close());
  return dashboard;
}
