import type { Priority } from '../../packages/overload/src/index.js';

/** Milliseconds that a request works. */
export const WORK = 5;
/** Clients give up after as many milliseconds. */
export const PATIENCE = 1_000;
export const PRIORITIES: readonly Priority[] = ['critical', 'normal', 'sheddable'];
/** What critical requests take of the capacity, and normal ones. The others are sheddable. */
export const STEADY = { critical: 0.2, normal: 0.4 } as const;

/**
 * How clients connect: each request on a connection of its own, as nginx' default is; or on one that stays, which a client
 * closes when it gives up.
 */
export const CONNECTIONS = ['new', 'kept'] as const;
export type Connections = (typeof CONNECTIONS)[number];

/** What carries the connections. */
export const TRANSPORTS = ['tcp', 'tls', 'unix'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** How the primary of a `node:cluster` with one worker gives it connections: the worker accepts them, or the primary does. */
export const CLUSTERS = ['none', 'round-robin'] as const;
export type Cluster = (typeof CLUSTERS)[number];

/** Servers with a shedder. */
export const SHEDDING = ['express', 'fastify', 'hono', 'gate'] as const;
/** Fastify with @fastify/under-pressure, Express with nothing, and what `npm run tool -- overload` compares with them. */
export const SERVERS = [...SHEDDING, 'under-pressure', 'nothing'] as const;
export type ServerName = (typeof SERVERS)[number];

export function hasShedder(server: ServerName): boolean {
  return (SHEDDING as readonly string[]).includes(server);
}

/** What a server is asked to be, as the argument of its program. */
export interface ServerSetup {
  readonly server: ServerName;
  readonly transport: Transport;
  /** @default a process without a primary */
  readonly cluster?: Cluster | undefined;
  /** Milliseconds that a request works. @default WORK */
  readonly work?: number;
  /** `'always'` refuses every request, `'never'` has no shedder, `'stamps'` reads when nginx got a request, and `'queues'` remembers requests. */
  readonly sheds?: 'always' | 'never' | 'stamps' | 'queues' | undefined;
  /** The folder of certificate and socket. */
  readonly folder: string;
}

/** Where a server listens. */
export type Address = { readonly port: number } | { readonly path: string };

/** What a server says first. */
export interface Started {
  /** Of the process that answers. */
  readonly pid: number;
  readonly address: Address;
}

/** What a server is asked: to say how it is, or to stop for some milliseconds. */
export type Question = 'state' | { readonly pause: number };

/** What a server says of itself when it is asked. */
export interface ServerState {
  /** Of Node. */
  readonly version: string;
  /** Of the shedder. */
  readonly level: number;
  /** When the level was last above 0, in milliseconds since 1970. */
  readonly troubled: number;
  /** The highest since it was asked last. */
  readonly highest: number;
  /** Microseconds of processor that the process has taken. */
  readonly used: number;
}
