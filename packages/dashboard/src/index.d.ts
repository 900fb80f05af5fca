export { createDashboard, type Dashboard, type DashboardOptions } from './dashboard.js';
export type { Authorize } from './access.js';
export type { FastifyPlugin } from './fastify-plugin.js';
export type * from './messages.js';
