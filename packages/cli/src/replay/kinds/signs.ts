import type { LoggedRequest } from '../../logs/lines/logged-request.js';
import { hashOf } from '../../logs/lines/span.js';
import type { AgentClass } from './agent.js';
import { Agents } from './agents.js';
import { Columns } from './columns.js';
import { FirstFew } from './first-few.js';
import { FirstPages } from './first-pages.js';
import { Forms, type ClientForms } from './forms.js';
import { Holes } from './holes.js';
import { FILE, isFile, SIGN_IN } from './request-flags.js';

/** What one client has sent, in all requests of the log. */
export interface ClientSigns extends ClientForms {
  readonly requests: number;
  readonly files: number;
  /** Requests that were answered with an error of the client. */
  readonly failed: number;
  readonly notFound: number;
  /** Different pages of them, of which a few are counted. */
  readonly failedPages: number;
  /** Requests for known holes, of which some are counted. */
  readonly holes: number;
  /** The first of these holes. Empty without one. */
  readonly hole: string;
  /** Different paths, of which a few are counted. */
  readonly paths: number;
  /** The first path, as a number. */
  readonly page: number;
  /** Different agents of browsers, of which some are counted. */
  readonly browsers: number;
  /** Different agents of other classes, of which a few are counted. */
  readonly programs: number;
  /** Requests by the class of their agents. */
  readonly agents: Readonly<Record<AgentClass, number>>;
  /** The agent of most requests. Empty where the log has none. */
  readonly agent: string;
}

/** With so many different failed pages a client is a scanner, so that more need not be counted. */
export const MANY_FAILED_PAGES = 10;
/** As many agents at one address as are told apart. */
export const MOST_AGENTS = 64;

/** Agents of browsers: a family has fewer. */
export const MANY_AGENTS = 8;
/** With so many different agents several programs send what one client sends. */
export const SEVERAL_AGENTS = 3;

const COLUMNS = [
  'requests',
  'files',
  'failed',
  'notFound',
  'none',
  'browser',
  'program',
  'monitor',
  'search engine',
  'agent',
  'agentLead',
] as const;

/** Answers that blame the server's limits or a client that has left, not what was asked for. */
const NO_FAILURES: ReadonlySet<number> = new Set([408, 429, 499]);

/**
 * What tells kinds of clients apart: a few counters a client, taken in one pass and independent of any limit. Lists exist
 * only for clients with failed pages or with several agents.
 */
export class Signs {
  readonly agents = new Agents();
  readonly #columns = new Columns(COLUMNS);
  readonly #failedPages = new FirstFew(MANY_FAILED_PAGES);
  readonly forms = new Forms();
  readonly pages = new FirstPages();
  readonly #holes = new Holes();
  readonly #browsers = new FirstFew(MOST_AGENTS);
  readonly #programs = new FirstFew(SEVERAL_AGENTS);

  /** Counts a request, and returns its flags. @param client index */
  add(client: number, request: LoggedRequest): number {
    const { columns } = this.#columns.upTo(client);
    const { status } = request;
    const hasFailed = status >= 400 && status < 500 && !NO_FAILURES.has(status);
    const flags = isFile(request.pathBytes) ? FILE : this.forms.add(client, request, hasFailed) ? SIGN_IN : 0;
    columns.requests[client]! += 1;
    if (flags === FILE) columns.files[client]! += 1;
    this.#addAgent(client, request);
    this.pages.add(client, request);
    if (!hasFailed) return flags;
    columns.failed[client]! += 1;
    columns.notFound[client]! += Number(status === 404);
    this.#holes.add(client, request);
    if (flags !== FILE && !this.#failedPages.isFull(client))
      this.#failedPages.add(client, hashOf(request.pathBytes) >>> 2);
    return flags;
  }

  of(client: number): ClientSigns {
    const { columns } = this.#columns.upTo(client);
    return {
      requests: columns.requests[client]!,
      files: columns.files[client]!,
      failed: columns.failed[client]!,
      notFound: columns.notFound[client]!,
      failedPages: this.#failedPages.sizeOf(client),
      holes: this.#holes.countOf(client),
      hole: this.#holes.firstOf(client),
      ...this.forms.of(client),
      paths: this.pages.countOf(client),
      page: this.pages.firstOf(client),
      browsers: this.#browsers.sizeOf(client),
      programs: this.#programs.sizeOf(client),
      agents: {
        none: columns.none[client]!,
        browser: columns.browser[client]!,
        program: columns.program[client]!,
        monitor: columns.monitor[client]!,
        'search engine': columns['search engine'][client]!,
      },
      agent: this.agents.textOf(columns.agent[client]!),
    };
  }

  /** How many requests a client has sent, and how many of them for files. */
  countsOf(client: number): { readonly requests: number; readonly files: number } {
    const { requests, files } = this.#columns.upTo(client).columns;
    return { requests: requests[client]!, files: files[client]! };
  }

  /** False for a client that is no part of a swarm, of which nothing else need be looked at. */
  mayActWithOthers(client: number): boolean {
    const isOfFewPages = this.pages.countOf(client) === 1 || this.forms.of(client).forms > 0;
    return isOfFewPages && this.countsOf(client).files === 0;
  }

  /** Counts its class, and keeps the agent of most requests: by the vote of Boyer and Moore, which needs no list. */
  #addAgent(client: number, request: LoggedRequest): void {
    const { columns } = this.#columns;
    const id = this.agents.idOf(request);
    const agentClass = this.agents.classOf(id);
    columns[agentClass][client]! += 1;
    if (columns.agent[client] === id) {
      columns.agentLead[client]! += 1;
      return;
    } else if (columns.agentLead[client] === 0) {
      columns.agent[client] = id;
      columns.agentLead[client] = 1;
    } else columns.agentLead[client]! -= 1;
    if (agentClass === 'browser') this.#browsers.add(client, id);
    else if (agentClass !== 'none') this.#programs.add(client, id);
  }
}
