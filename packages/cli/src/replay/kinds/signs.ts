import type { LoggedRequest } from '../../logs/logged-request.js';
import type { AgentClass } from './agent.js';
import { Agents } from './agents.js';
import { copyOf } from './copy-of.js';
import { Columns } from './columns.js';
import { FirstFew } from './first-few.js';
import { hashOf } from '../../logs/span.js';
import { FILE, isFile, isSignInPath, SIGN_IN } from './request-flags.js';

/** What one client has sent, in all requests of the log. */
export interface ClientSigns {
  readonly requests: number;
  readonly files: number;
  /** Requests that were answered with an error of the client. */
  readonly failed: number;
  readonly notFound: number;
  /** Different pages of them, of which a few are counted. */
  readonly failedPages: number;
  readonly signIns: number;
  readonly failedSignIns: number;
  /** Different paths, of which a few are counted. */
  readonly paths: number;
  /** Different agents of browsers, of which some are counted. */
  readonly browsers: number;
  /** Requests by the class of their agents, of those whose agent was looked at. */
  readonly agents: Readonly<Record<AgentClass, number>>;
  /** The agent of most requests. Empty where the log has none. */
  readonly agent: string;
}

/** With so many different failed pages a client is a scanner, so that more need not be counted. */
export const MANY_FAILED_PAGES = 10;
/** A monitor asks for fewer paths. */
export const FEW_PATHS = 4;
/** As many agents at one address as are told apart. */
export const MOST_AGENTS = 64;

/** Of these first requests of a client each agent is looked at. */
const ALL_AGENTS = 4;

/**
 * Whether the agent of a request is looked at: of one in four, because to read an agent takes longer than all else. The
 * multiples of the golden ratio lie evenly, so that no rhythm of a client hides an agent.
 *
 * @param count of the requests of the client, this one included
 */
function isSample(count: number): boolean {
  return count <= ALL_AGENTS || Math.imul(count, 0x9e3779b1) >>> 30 === 0;
}

/** Clients choose paths. */
const MOST_SIGN_IN_PATHS = 64;

const COLUMNS = [
  'requests',
  'files',
  'failed',
  'notFound',
  'signIns',
  'failedSignIns',
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
  readonly #paths = new FirstFew(FEW_PATHS);
  readonly #browsers = new FirstFew(MOST_AGENTS);
  readonly #signInPaths = new Map<string, number>();

  /** Counts a request, and returns its flags. @param client index */
  add(client: number, request: LoggedRequest): number {
    const { columns } = this.#columns.upTo(client);
    const { status } = request;
    const flags = isFile(request.pathBytes) ? FILE : isSignIn(request) ? SIGN_IN : 0;
    columns.requests[client]! += 1;
    if (isSample(columns.requests[client]!)) this.#addAgent(client, this.agents.idOf(request.agent));
    if (flags === FILE) columns.files[client]! += 1;
    const hasFailed = status >= 400 && status < 500 && !NO_FAILURES.has(status);
    if (flags === SIGN_IN) {
      columns.signIns[client]! += 1;
      columns.failedSignIns[client]! += Number(hasFailed);
      this.#addSignIn(request.path);
    }
    if (!this.#paths.isFull(client)) this.#paths.add(client, pageOf(request));
    if (!hasFailed) return flags;
    columns.failed[client]! += 1;
    columns.notFound[client]! += Number(status === 404);
    if (flags !== FILE && !this.#failedPages.isFull(client)) this.#failedPages.add(client, pageOf(request));
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
      signIns: columns.signIns[client]!,
      failedSignIns: columns.failedSignIns[client]!,
      paths: this.#paths.sizeOf(client),
      browsers: this.#browsers.sizeOf(client),
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

  /** Where most sign-ins go. Undefined for a log without them. */
  get signInPath(): string | undefined {
    return [...this.#signInPaths].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  }

  #addSignIn(path: string): void {
    const known = this.#signInPaths.get(path);
    if (known !== undefined || this.#signInPaths.size < MOST_SIGN_IN_PATHS)
      this.#signInPaths.set(known === undefined ? copyOf(path) : path, (known ?? 0) + 1);
  }

  /** Counts its class, and keeps the agent of most requests: by the vote of Boyer and Moore, which needs no list. */
  #addAgent(client: number, id: number): void {
    const { columns } = this.#columns;
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
  }
}

function isSignIn(request: LoggedRequest): boolean {
  return request.method === 'POST' && isSignInPath(request.path);
}

/** A number for a path, of 30 bits: V8 keeps such numbers in place. */
function pageOf({ pathBytes }: LoggedRequest): number {
  return hashOf(pathBytes) >>> 2;
}
