import type { IncomingMessage, ServerResponse } from 'node:http';
import { measure } from '@sluice/metrics/operations';
import { logFailure, redirect, send, sendFailure } from './answers.js';
import { ApiRouter, type Visit } from './api-router.js';
import { mayAct, type Caller } from './api/role.js';
import { checkedOptions, type CheckedOptions, type DashboardOptions } from './dashboard-options.js';
import { Door } from './door.js';
import { EventStreams } from './event-streams.js';
import { fastifyPlugin, type FastifyPlugin } from './fastify-plugin.js';
import { Fleet } from './fleet.js';
import { deskMeasures } from './desk-measures.js';
import { HttpFailure } from './http-failure.js';
import { IdentityDesk } from './identity-desk.js';
import type { State } from './messages.js';
import { Monitor } from './monitor.js';
import { partsOf, type Mounted } from './mounted.js';
import { html, pageFiles } from './page-files.js';
import { setSecurityHeaders } from './security-headers.js';
import { BoundsOfRoles } from './support-bounds.js';

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

class LiveDashboard implements Dashboard {
  readonly fastify: FastifyPlugin;
  readonly #door: Door;
  readonly #readOnly: boolean;
  readonly #canOverride: boolean;
  readonly #monitor: Monitor;
  readonly #api: ApiRouter;
  readonly #streams: EventStreams;
  readonly #fleet: Fleet | undefined;
  readonly #beats: NodeJS.Timeout | undefined;
  #isFleetWatched = false;
  #ticks: NodeJS.Timeout | undefined;
  #healthTimer: NodeJS.Timeout | undefined;

  constructor({ store, authorize, tokens, readOnly, overrides, support, client, clock }: CheckedOptions) {
    if (!readOnly) measure(deskMeasures);
    this.#door = new Door({ authorize, tokens, readOnly });
    this.#readOnly = readOnly;
    this.#canOverride = overrides !== undefined;
    this.#streams = new EventStreams(clock, (size) => this.#watch(size > 0));
    this.#monitor = new Monitor(store, clock, () => this.#tellHealth());
    this.#api = new ApiRouter({
      store,
      identities: new IdentityDesk(store, (tier, shown) => this.#monitor.digestOf(tier, shown)),
      overrides,
      bounds: new BoundsOfRoles(support),
      readOnly,
      state: (caller) => this.#state(caller),
      openEvents: ({ response }) => this.#streams.open(response),
    });
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
    const cookie = this.#door.cookieOf(visit);
    const caller = cookie === undefined ? await this.#door.callerOf(visit) : undefined;
    // A time-out of the application may have answered meanwhile.
    if (response.headersSent) return;
    if (caller === undefined && cookie === undefined) return this.#door.refuse(visit);
    visit.begin();
    setSecurityHeaders(response);
    if (path === '/' && !mounted.endsWith('/')) redirect(response, 308, slashed(mounted, query));
    else if (cookie !== undefined) {
      response.setHeader('set-cookie', cookie);
      redirect(response, 303, './');
    } else await this.#answer({ ...visit, caller: caller! });
  }

  async #answer(visit: Visit): Promise<void> {
    const { request, response, path } = visit;
    if (path.startsWith('/api/')) return this.#api.answer(visit);
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${path}`;
    const file = pageFiles.get(path.slice(1));
    if (route === 'GET /') send(response, 'text/html; charset=utf-8', html);
    else if (file && route.startsWith('GET ')) {
      // The names of the others do not change with their texts.
      if (path.startsWith('/page-')) response.setHeader('cache-control', 'public, max-age=31536000, immutable');
      send(response, file.type, file.text);
    } else throw new HttpFailure(404, 'not found');
  }

  #state(caller: Caller): State {
    const { by, role } = caller;
    const readOnly = this.#readOnly || !mayAct(caller, 'support');
    const rights = { readOnly, role, canOverride: this.#canOverride && !readOnly, ...(by !== undefined && { by }) };
    return this.#monitor.state(rights);
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
