// @sluice/dashboard serves a page that shows limits, clients and traffic, and lets operators act. Requests of an
// operator's browser enter. It imports @sluice/core, http, metrics, policies and quotas.
export { createDashboard, type Dashboard } from './dashboard.js';
export type { DashboardOptions, OverrideDesk } from './dashboard-options.js';
export type { Authorize, Person } from './access.js';
export type { AccessToken } from './access-tokens.js';
export type { Role } from './api/role.js';
export { deskEvent, type DeskRequest } from './desk-event.js';
export type { SupportBounds } from './support-bounds.js';
export type { FastifyPlugin } from './fastify-plugin.js';
export type * from './messages.js';
