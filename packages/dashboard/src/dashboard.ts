import type { IncomingMessage, ServerResponse } from 'node:http';
import { isNativeError } from 'node:util/types';
import { isSluiceError, type Store } from '@sluice/core';
import { isLimiter, OptionReader, show, warn } from '@sluice/core/adapter';
import { accessOf, isSameOrigin, type Authorize } from './access.js';
import { EventStreams } from './event-streams.js';
import { fastifyPlugin, type FastifyPlugin } from './fastify-plugin.js';
import { Fleet, fleetClient, type FleetClient } from './fleet.js';
import { HttpFailure } from './http-failure.js';
import { IdentityDesk } from './identity-desk.js';
import { Monitor } from './monitor.js';
import { pathOf, type Mounted } from './mounted.js';
import { html, pageFiles } from './page-files.js';
import { readBody } from './request-body.js';
import { setSecurityHeaders } from './security-headers.js';

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

const OPTIONS: readonly (keyof DashboardOptions)[] = ['store', 'authorize', 'readOnly', 'fleet', 'clock'];
const SECOND = 1e3;
const FLEET_BEAT = 2e3;
/** A page hears of a change of the store within this time. */
const HEALTH_DELAY = 100;

/**
 * A live page of what the limiters of this process decide: traffic of each tier, the identities that are denied most, the
 * state of one identity and the moment it fits again, the health of Redis. It shows digests, never an identity.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example
 * const dashboard = createDashboard({ store, authorize: (request) => isAdmin(request) });
 * app.use('/sluice', dashboard.handle);
 */
export function createDashboard(options: DashboardOptions): Dashboard {
  const reader = new OptionReader('createDashboard', Object(options) as object, OPTIONS);
  const { store, authorize, readOnly, fleet, clock = () => performance.now() } = Object(options) as DashboardOptions;
  if (typeof (store as Partial<Store> | undefined)?.consume !== 'function') {
    throw reader.fail('OPTION_INVALID', 'store', 'must be the store of the limiters, such as redisStore({ url })');
  }
  if (isLimiter(store)) {
    const rule = 'must be a store, not a limiter: write createLimiter({ store, … }) and createDashboard({ store })';
    throw reader.fail('OPTION_INVALID', 'store', rule);
  }
  if (authorize !== true) reader.function('authorize', authorize);
  for (const [name, value = false] of Object.entries({ readOnly, fleet })) {
    if (typeof value !== 'boolean') throw reader.fail('OPTION_INVALID', name, 'must be true or false');
  }
  const client = fleet ? fleetClient(store) : undefined;
  if (fleet && client === undefined) {
    throw reader.fail('OPTION_INVALID', 'fleet', 'needs a store in Redis, with a client of ioredis');
  }
  return new LiveDashboard({ store, authorize, readOnly: readOnly ?? true, client, clock });
}

interface CheckedOptions {
  readonly store: Store;
  readonly authorize: Authorize | undefined;
  readonly readOnly: boolean;
  /** With `fleet`. */
  readonly client: FleetClient | undefined;
  readonly clock: () => number;
}

interface Visit extends Mounted {
  /** The name that `authorize` returned. */
  readonly by: string | undefined;
}

class LiveDashboard implements Dashboard {
  readonly fastify: FastifyPlugin;
  readonly #authorize: Authorize | undefined;
  readonly #readOnly: boolean;
  readonly #monitor: Monitor;
  readonly #desk: IdentityDesk;
  readonly #streams: EventStreams;
  readonly #fleet: Fleet | undefined;
  readonly #beats: NodeJS.Timeout | undefined;
  #isFleetWatched = false;
  #ticks: NodeJS.Timeout | undefined;
  #healthTimer: NodeJS.Timeout | undefined;

  constructor({ store, authorize, readOnly, client, clock }: CheckedOptions) {
    this.#authorize = authorize;
    this.#readOnly = readOnly;
    this.#streams = new EventStreams((size) => this.#watch(size > 0));
    this.#monitor = new Monitor(store, clock, () => this.#tellHealth());
    this.#desk = new IdentityDesk(store, (tier, shown) => this.#monitor.digestOf(tier, shown));
    if (client) {
      this.#fleet = new Fleet(client, store, this.#monitor.id);
      this.#beats = setInterval(() => void this.#beat(), FLEET_BEAT).unref();
    }
    this.fastify = fastifyPlugin((visit) => this.#serve(visit));
  }

  // Arrow functions, because servers get them without the dashboard.
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { originalUrl = request.url! } = request as { originalUrl?: string };
    this.#serve({ request, response, path: pathOf(request.url!), mounted: pathOf(originalUrl) });
  };

  readonly close = (): void => {
    this.#monitor.stop();
    clearInterval(this.#beats);
    this.#streams.close();
    this.#watch(false);
    clearTimeout(this.#healthTimer);
  };

  #serve(visit: Mounted): void {
    const { response } = visit;
    this.#admit(visit)
      .catch((error: unknown) => sendFailure(response, error))
      // A middleware may have given the response a method that throws.
      .catch(() => response.destroy());
  }

  async #admit(visit: Mounted): Promise<void> {
    const { request, response, path, mounted } = visit;
    if (response.headersSent) return;
    setSecurityHeaders(response);
    const access = await accessOf(request, this.#authorize).catch(loggedFailure);
    // A time-out of the application may have answered meanwhile.
    if (response.headersSent) return;
    if (access instanceof HttpFailure) throw access;
    if (access === false) throw new HttpFailure(404, 'not found');
    const by = typeof access === 'string' ? access : undefined;
    if (path === '/' && !mounted.endsWith('/')) redirect(response, mounted);
    else await this.#answer({ ...visit, by });
  }

  async #answer(visit: Visit): Promise<void> {
    const { request, response, path } = visit;
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${path}`;
    const file = pageFiles.get(path.slice(1));
    if (route === 'GET /') send(response, 'text/html; charset=utf-8', html);
    else if (file && route.startsWith('GET ')) {
      // The names of the others do not change with their texts.
      if (path.startsWith('/page-')) response.setHeader('cache-control', 'public, max-age=31536000, immutable');
      send(response, file.type, file.text);
    } else if (route === 'GET /api/state') sendJson(response, this.#monitor.state(this.#readOnly));
    else if (route === 'GET /api/events' && request.method === 'GET') this.#streams.open(response);
    else if (route === 'POST /api/look') sendJson(response, await this.#desk.look(await bodyOf(request)));
    else if (route === 'POST /api/forget') await this.#forget(visit);
    else throw new HttpFailure(404, 'not found');
  }

  async #forget({ request, response, by }: Visit): Promise<void> {
    if (this.#readOnly) throw new HttpFailure(403, 'this dashboard is read-only: set readOnly: false');
    sendJson(response, await this.#desk.forget(await bodyOf(request), by));
  }

  /** Failures are those of the store, which the page shows. */
  async #beat(): Promise<void> {
    const isWatching = this.#ticks !== undefined;
    try {
      const heard = await this.#fleet!.beat(isWatching, () => this.#monitor.summary());
      this.#isFleetWatched = heard !== undefined;
      for (const text of heard ?? []) this.#monitor.hear(text);
    } catch {
      this.#isFleetWatched = false;
    }
    this.#monitor.watch(this.#ticks !== undefined || this.#isFleetWatched);
  }

  #watch(isWatched: boolean): void {
    this.#monitor.watch(isWatched || this.#isFleetWatched);
    if (isWatched && this.#fleet && this.#ticks === undefined) setImmediate(() => void this.#beat());
    if (isWatched) this.#ticks ??= setInterval(() => this.#tick(), SECOND).unref();
    else {
      clearInterval(this.#ticks);
      this.#ticks = undefined;
    }
  }

  #tick(): void {
    const snapshot = this.#monitor.snapshot();
    this.#streams.send('tick', snapshot, snapshot.second);
    const tail = this.#monitor.tail();
    if (tail.entries.length > 0) this.#streams.send('tail', tail);
  }

  /** An outage reaches every request: pages hear of it a few times a second. */
  #tellHealth(): void {
    if (this.#ticks === undefined) return;
    this.#healthTimer ??= setTimeout(() => {
      this.#healthTimer = undefined;
      this.#streams.send('health', this.#monitor.health.read());
    }, HEALTH_DELAY).unref();
  }
}

/** Relative, because a proxy may have removed a prefix. */
function redirect(response: ServerResponse, mounted: string): void {
  response.writeHead(308, { location: `${mounted.slice(mounted.lastIndexOf('/') + 1)}/` }).end();
}

/** @throws HttpFailure 403 for a request of another site */
function bodyOf(request: IncomingMessage): Promise<object> {
  if (!isSameOrigin(request)) throw new HttpFailure(403, 'only the page of this dashboard may send this');
  return readBody(request);
}

function send(response: ServerResponse, type: string, text: string): void {
  response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

function sendJson(response: ServerResponse, data: object): void {
  send(response, 'application/json; charset=utf-8', JSON.stringify(data));
}

function sendFailure(response: ServerResponse, error: unknown): void {
  // The rest of a response that has begun cannot come.
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  const { status, message } = failureOf(error);
  response.statusCode = status;
  sendJson(response, { error: message });
}

function failureOf(error: unknown): Pick<HttpFailure, 'status' | 'message'> {
  if (error instanceof HttpFailure) return error;
  if (!isSluiceError(error)) return loggedFailure(error);
  const { name, message } = error;
  if (name === 'StoreError') return { status: 503, message };
  // A ConfigError repeats the kind, in which an identity may have been typed.
  return { status: 400, message: name === 'ConfigError' ? 'this is not the kind of an identity' : message };
}

/** Usually of `authorize`. Its error may say too much for a page, so it goes to the log. */
function loggedFailure(error: unknown): HttpFailure {
  // An object without a prototype has no text.
  const text = error instanceof Error || isNativeError(error) ? String(error) : show(error);
  warn('SLUICE_DASHBOARD_FAILED', `createDashboard: a request of the page failed: ${text}`);
  return new HttpFailure(500, 'the dashboard failed: the log of the process says why');
}
