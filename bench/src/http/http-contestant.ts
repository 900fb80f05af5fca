import type { Server } from 'node:http';
import type { Connect, Kind } from '../contestants/contestant.js';
import type { Field } from '../contestants/field.js';

export interface HttpSetting {
  /** Requests that each client has in a window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
  /** What tells clients apart: their address, as by default, or CLIENT_HEADER. */
  readonly identity: 'address' | 'header';
  /** Where it counts; `none` for a server without limits. */
  readonly store: 'none' | 'memory' | 'redis';
  readonly connect: Connect;
  /** The Redis of this run, for contestants that connect themselves. */
  readonly url: string;
}

/** The header that names the client of a request. */
export const CLIENT_HEADER = 'x-client';
/** Clients that send requests in turns, as wrk.lua names them too. */
export const clients: readonly string[] = Array.from({ length: 1_000 }, (_, index) => `client-${index + 1}`);
/** Connections that the clients share. */
export const CONNECTIONS = 64;

/** The answer of every server's one route. */
export const ANSWER = { hello: 'world' };

export interface HttpServer {
  readonly server: Server;
  /** Requests so far that were decided without the measured work. */
  skipped?(): number;
}

/** The export of a server's file. */
export interface HttpFile {
  listen(setting: HttpSetting): Promise<HttpServer>;
}

/** Frameworks by their names. */
export const titles = { express: 'Express', fastify: 'Fastify', hono: 'Hono' } as const;

export type Framework = keyof typeof titles;

export interface HttpContestant {
  readonly name: string;
  readonly framework: Framework;
  readonly kind: Kind;
  /** The smallest field that it is in. @default 'main' */
  readonly field?: Field;
  readonly store: HttpSetting['store'];
  /** Whether every request is denied. */
  readonly denied: boolean;
  /** It is measured without sockets alone. */
  readonly isUnsent?: true;
  load(): Promise<HttpFile>;
}
