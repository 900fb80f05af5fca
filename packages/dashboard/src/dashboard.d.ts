import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Store } from '@sluice/core';
import { type Authorize } from './access.js';
import { type FastifyPlugin } from './fastify-plugin.js';
export interface DashboardOptions {
    /** The store of the limiters. */
    readonly store: Store;
    /**
     * Decides which requests may see the dashboard. Others get 404. A name that it returns is reported on `sluice:audit`;
     * `true` instead of a function lets everybody in.
     *
     * @default clients of the same machine, unless a proxy has forwarded them
     */
    readonly authorize?: Authorize;
    /**
     * No identity can be forgotten.
     *
     * @default true
     */
    readonly readOnly?: boolean;
    /**
     * The page shows all processes that share the Redis of the store, and have this option. They exchange counts and digests
     * while a page is open; else a process sends one GET every two seconds.
     *
     * @default false
     */
    readonly fleet?: boolean;
    /**
     * Monotonic milliseconds, for tests.
     *
     * @default performance.now
     */
    readonly clock?: () => number;
}
export interface Dashboard {
    /** For Express, Nest on Express and `node:http`: `app.use('/sluice', dashboard.handle)`. */
    readonly handle: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;
    /** For Fastify and Nest on Fastify: `await app.register(dashboard.fastify, { prefix: '/sluice' })`. */
    readonly fastify: FastifyPlugin;
    /** Ends open pages, which `server.close()` waits for, and counts no more. */
    readonly close: () => void;
}
/**
 * A live page of what the limiters of this process decide: traffic of each tier, the identities that are denied most, the
 * state of one identity and the moment it fits again, the health of Redis. It shows digests, never an identity.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example
 * const dashboard = createDashboard({ store, authorize: (request) => isAdmin(request) });
 * app.use('/sluice', dashboard.handle);
 */
export declare function createDashboard(options: DashboardOptions): Dashboard;
