import { createDashboard } from '@sluice/dashboard';

/** @import { Store } from '@sluice/express' */
/** @import { Dashboard } from '@sluice/dashboard' */
/** @import { Express } from 'express' */

/**
 * Serves the live page of the limits on /sluice, by the link with its token. In production pass `authorize`.
 *
 * @param {Express} app
 * @param {Store} store
 * @param {boolean} fleet several processes may share the store
 * @returns {Dashboard}
 */
export function serveDashboard(app, store, fleet) {
  const dashboard = createDashboard({ store, fleet });
  app.use('/sluice', dashboard.handle);
  return dashboard;
}
