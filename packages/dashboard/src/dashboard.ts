import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameOrigin } from './access.js';
import { logFailure, redirect, send, sendFailure, sendJson } from './answers.js';
import { checkedOptions, type CheckedOptions, type DashboardOptions, type OverrideDesk } from './dashboard-options.js';
import { Door } from './door.js';
import { EventStreams } from './event-streams.js';
import { fastifyPlugin, type FastifyPlugin } from './fastify-plugin.js';
import { Fleet } from './fleet.js';
import { HttpFailure } from './http-failure.js';
import { IdentityDesk } from './identity-desk.js';
import type { State } from './messages.js';
import { Monitor } from './monitor.js';
import { partsOf, type Mounted } from './mounted.js';
import { html, pageFiles } from './page-files.js';
import { readBody } from './request-body.js';
import { setSecurityHeaders } from './security-headers.js';

export interface Dashboard {
  /** For Express, Nest on Express and `node:http`: `app.use('/sluice', dashboard.handle)`. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;
  /** For Fastify and Nest on Fastify: `await app.register(dashboard.fastify, { prefix: '/sluice' })`. */
  readonly fastify: FastifyPlugin;
  /**
   * What opens the page as `?token=…` where there is no `authorize`, for a link of your own. Undefined with `authorize`, and
   * where NODE_ENV is production.
   */
  readonly token: string | undefined;
  /** Ends open pages, which `server.close()` waits for, and counts no more. */
  readonly close: () => void;
}

const SECOND = 1e3;
const FLEET_BEAT = 2e3;
/** A change of the store reaches a page within this time. */
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
  return new LiveDashboard(checkedOptions(options));
}

interface Visit extends Mounted {
  /** The name that `authorize` returned. */
  readonly by: string | undefined;
}

class LiveDashboard implements Dashboard {
  readonly fastify: FastifyPlugin;
  readonly #door: Door;
  readonly #readOnly: boolean;
  readonly #overrides: OverrideDesk | undefined;
  readonly #monitor: Monitor;
  readonly #desk: IdentityDesk;
  readonly #streams: EventStreams;
  readonly #fleet: Fleet | undefined;
  readonly #beats: NodeJS.Timeout | undefined;
  #isFleetWatched = false;
  #ticks: NodeJS.Timeout | undefined;
  #healthTimer: NodeJS.Timeout | undefined;

  constructor({ store, authorize, readOnly, overrides, client, clock }: CheckedOptions) {
    this.#door = new Door(authorize);
    this.#readOnly = readOnly;
    this.#overrides = overrides;
    this.#streams = new EventStreams(clock, (size) => this.#watch(size > 0));
    this.#monitor = new Monitor(store, clock, () => this.#tellHealth());
    this.#desk = new IdentityDesk(store, (tier, shown) => this.#monitor.digestOf(tier, shown));
    if (client) {
      this.#fleet = new Fleet(client, store, this.#monitor.id);
      this.#beats = setInterval(() => void this.#beat(), FLEET_BEAT).unref();
    }
    this.fastify = fastifyPlugin((visit) => this.#serve(visit));
  }

  get token(): string | undefined {
    return this.#door.token;
  }

  // Arrow functions, because servers get them without the dashboard.
  readonly handle = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void => {
    const { originalUrl = request.url! } = request as { originalUrl?: string };
    const refuse = () => (next ? next() : response.writeHead(404).end());
    const begin = () => {};
    this.#serve({ request, response, ...partsOf(request.url!), mounted: partsOf(originalUrl).path, begin, refuse });
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
    const { response, path, mounted, query } = visit;
    if (response.headersSent) return;
    const isLink = this.#door.isLink(visit);
    const access = isLink || (await this.#door.admits(visit));
    // A time-out of the application may have answered meanwhile.
    if (response.headersSent) return;
    if (access === false) return this.#door.refuse(visit);
    visit.begin();
    setSecurityHeaders(response);
    const by = typeof access === 'string' ? access : undefined;
    if (path === '/' && !mounted.endsWith('/')) redirect(response, 308, slashed(mounted, query));
    else if (isLink) {
      response.setHeader('set-cookie', this.#door.cookie(visit));
      redirect(response, 303, './');
    } else await this.#answer({ ...visit, by });
  }

  async #answer(visit: Visit): Promise<void> {
    const { request, response, path } = visit;
    if (path.startsWith('/api/') && !isSameOrigin(request)) {
      throw new HttpFailure(403, 'only the page of this dashboard and programs may send this');
    }
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${path}`;
    const file = pageFiles.get(path.slice(1));
    if (route === 'GET /') send(response, 'text/html; charset=utf-8', html);
    else if (file && route.startsWith('GET ')) {
      // The names of the others do not change with their texts.
      if (path.startsWith('/page-')) response.setHeader('cache-control', 'public, max-age=31536000, immutable');
      send(response, file.type, file.text);
    } else if (route === 'GET /api/state') sendJson(response, this.#state());
    else if (route === 'GET /api/events' && request.method === 'GET') this.#streams.open(response);
    else if (route === 'POST /api/look') sendJson(response, await this.#desk.look(await readBody(request)));
    else if (route === 'POST /api/forget') await this.#forget(visit);
    else if (route === 'POST /api/override') await this.#override(visit);
    else throw new HttpFailure(404, 'not found');
  }

  #state(): State {
    return this.#monitor.state({ readOnly: this.#readOnly, canOverride: this.#overrides !== undefined });
  }

  async #forget({ request, response, by }: Visit): Promise<void> {
    if (this.#readOnly) throw new HttpFailure(403, 'this dashboard is read-only: readOnly: false lets it forget');
    sendJson(response, await this.#desk.forget(await readBody(request), by));
  }

  async #override({ request, response, by }: Visit): Promise<void> {
    if (this.#overrides === undefined) throw new HttpFailure(403, 'this dashboard changes no limits: pass overrides');
    sendJson(response, await this.#desk.override(await readBody(request), this.#overrides, by));
  }

  /** Failures are those of the store, which the page shows. */
  async #beat(): Promise<void> {
    const isWatching = this.#ticks !== undefined;
    try {
      const heard = await this.#fleet!.beat(isWatching, () => this.#monitor.summary());
      this.#isFleetWatched = heard !== undefined;
      for (const text of heard ?? []) this.#monitor.addSummary(text);
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

  /** An error on a timer would end the process, and pages are not worth it. */
  #tick(): void {
    try {
      this.#streams.renew();
      const snapshot = this.#monitor.snapshot();
      this.#streams.send('tick', snapshot, snapshot.second);
      const tail = this.#monitor.tail();
      if (tail.entries.length > 0) this.#streams.send('tail', tail);
    } catch (error) {
      logFailure(error);
    }
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
function slashed(mounted: string, query: string): string {
  return `${mounted.slice(mounted.lastIndexOf('/') + 1)}/${query && '?'}${query}`;
}
