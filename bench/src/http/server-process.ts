import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import { serve } from '../processes/serve.js';
import type { HttpServer, HttpSetting } from './http-contestant.js';
import { servedContestants } from './inside/index.js';
import { UnsentRequests } from './unsent-requests.js';

export interface HttpOrder {
  readonly contestant: string;
  readonly framework: string;
  readonly limit: number;
  readonly window: number;
  /** Of Redis. */
  readonly port: number;
  readonly database: number;
  /** @default 'header' */
  readonly identity?: HttpSetting['identity'];
}

const require = createRequire(import.meta.url);
const servers: HttpServer[] = [];
let startTime = NaN;
let unsent: UnsentRequests | undefined;

const verbs = {
  /** Starts a server, and returns its port. */
  async listen({
    contestant,
    framework,
    limit,
    window,
    port,
    database,
    identity = 'header',
  }: HttpOrder): Promise<number> {
    const began = performance.now();
    const found = servedContestants.find((each) => each.name === contestant && each.framework === framework)!;
    const file = await found.load();
    // Loaded by the contestants that use it, because its load is a part of their start.
    const connect = () => {
      const ioredis = require('ioredis') as { Redis: new (...args: unknown[]) => Redis };
      return new ioredis.Redis(port, '127.0.0.1', { db: database });
    };
    const url = `redis://127.0.0.1:${port}/${database}`;
    const server = await file.listen({ limit, window, store: found.store, connect, url, identity });
    servers.push(server);
    startTime = performance.now() - began;
    return (server.server.address() as AddressInfo).port;
  },
  /** Makes the clients of requests without connections, for the latest server. */
  openUnsent(): void {
    unsent = new UnsentRequests(servers.at(-1)!.server);
  },
  /** Answers such requests for so long. */
  answerUnsentFor: (milliseconds: number) => unsent!.sendFor(milliseconds),
  /** Answers so many of them. */
  answerUnsent: (requests: number) => unsent!.send(requests),
  /** Milliseconds from the load of a server's code until it listened. */
  startTime: () => startTime,
  collect(): void {
    globalThis.gc?.({ type: 'minor' });
  },
  /** Microseconds of CPU so far, and requests that were decided without the work. */
  usage(): { cpu: number; userCpu: number; skipped: number } {
    const { user, system } = process.cpuUsage();
    return {
      cpu: user + system,
      userCpu: user,
      skipped: servers.reduce((sum, server) => sum + (server.skipped?.() ?? 0), 0),
    };
  },
};

export type HttpVerbs = typeof verbs;

serve(verbs);
