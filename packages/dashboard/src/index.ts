export { createDashboard, type Dashboard } from './dashboard.js';
export type { DashboardOptions, OverrideDesk } from './dashboard-options.js';
export type { Authorize } from './access.js';
export type { FastifyPlugin } from './fastify-plugin.js';
export type * from './messages.js';
