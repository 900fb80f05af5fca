import { createDashboard } from '@sluice/dashboard';

/** @import { Store } from '@sluice/express' */
/** @import { Dashboard } from '@sluice/dashboard' */
/** @import { Express } from 'express' */

/**
 * Serves the live page of the limits on /sluice, to clients of this machine. In production pass `authorize`.
 *
 * @param {Express} app
 * @param {Store} store
 * @param {boolean} fleet several processes may share the store
 * @returns {Dashboard}
 */
export function serveDashboard(app, store, fleet) {
  const dashboard = createDashboard({ store, fleet, readOnly: false });
  app.use('/sluice', dashboard.handle);
  return dashboard;
}
