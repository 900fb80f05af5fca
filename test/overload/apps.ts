import { createGate } from '@sluice/http';
import { sentTimes, shedder, type Priority, type Shedder, type ShedderOptions } from '@sluice/overload';
import { queueDelay } from '@sluice/overload/queues';
import { rateLimit as expressLimit } from '@sluice/express';
import { rateLimit as fastifyLimit } from '@sluice/fastify';
import { rateLimit as honoLimit } from '@sluice/hono';
import underPressure from '@fastify/under-pressure';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { overloadedShedder } from '../support/manual-loop.js';
import { PRIORITIES, WORK, type ServerName, type ServerSetup } from './terms.js';

/** An application whose requests work, and its shedder. */
export interface App {
  readonly shed?: Shedder<never>;
  /** Prepares a server for requests. */
  serve(create: (listener: Listener) => Server): Promise<Server>;
}

/** Frameworks return a promise, which they never reject. */
export type Listener = (...exchange: Parameters<RequestListener>) => unknown;

type Request = Pick<IncomingMessage, 'headers' | 'url'>;

const LIMIT = { limit: 10_000_000, window: '1m', key: () => 'all' } as const;

type Shed = Shedder<Request> | undefined;

export function appOf({ server, sheds, work: milliseconds }: ServerSetup): App {
  const answer = () => work(milliseconds);
  if (server === 'nothing') return bareApp(answer);
  if (server === 'under-pressure') return fastifyApp(answer, sheds === 'always' ? 'pressed' : 'pressure');
  const shed = sheds === 'never' ? undefined : shedOf(sheds);
  const apps: Record<Exclude<ServerName, 'nothing' | 'under-pressure'>, (by: () => string, shed: Shed) => App> = {
    express: expressApp,
    fastify: fastifyApp,
    hono: honoApp,
    gate: gateApp,
  };
  return { ...apps[server](answer, shed), ...(shed && { shed }) };
}

function shedOf(sheds: ServerSetup['sheds']): Shedder<Request> {
  const options: ShedderOptions<Request> = {
    priority: ({ url = '' }) => priorityOf(url) ?? 'critical',
    // As a proxy says it.
    key: ({ headers }) => String(headers['x-forwarded-for']),
    ...(sheds === 'queues' && { features: [queueDelay('database')] }),
    ...(sheds === 'stamps' && { features: [sentTimes({ header: 'x-request-start', from: ['127.0.0.0/8'] })] }),
  };
  return sheds === 'always' ? overloadedShedder(options) : shedder(options);
}

function priorityOf(url: string): Priority | undefined {
  return PRIORITIES.find((each) => url.endsWith(`/${each}`));
}

/** Takes milliseconds of a core: as many as a request does, where nothing else is said. */
export function work(milliseconds = WORK): string {
  // To read the clock of a process takes longer than a request that does not work.
  if (milliseconds === 0) return 'done';
  const end = used() + milliseconds * 1_000;
  // Reading the clock of a process takes longer than that of the wall.
  while (used() < end) for (let count = 0; count < 5_000; count += 1) Math.sqrt(count);
  return 'done';
}

function used(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The process stops for as many milliseconds. */
export function stop(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function bareApp(answer: () => string): App {
  const app = express();
  app.use((_request, response) => void response.send(answer()));
  return { serve: async (create) => create(app) };
}

function expressApp(answer: () => string, shed: Shed): App {
  const app = express();
  app.use(expressLimit({ ...LIMIT, ...(shed && { shed }) }));
  app.use((_request, response) => void response.send(answer()));
  return { serve: async (create) => create(app) };
}

function fastifyApp(answer: () => string, shed: Shed | 'pressure' | 'pressed'): App {
  return {
    async serve(create) {
      let server: Server | undefined;
      const app = Fastify({ serverFactory: (listener) => (server = create(listener)) });
      // One byte of heap is under pressure always.
      if (shed === 'pressed') await app.register(underPressure, { maxHeapUsedBytes: 1 });
      else if (shed === 'pressure') await app.register(underPressure, { maxEventLoopDelay: 100, sampleInterval: 100 });
      else await app.register(fastifyLimit, { ...LIMIT, ...(shed && { shed }) });
      app.get('/*', async () => answer());
      await app.ready();
      return server!;
    },
  };
}

function honoApp(answer: () => string, shed: Shed): App {
  const app = new Hono();
  app.use(honoLimit({ ...LIMIT, ...(shed && { shed }) }));
  app.get('/*', (context) => context.text(answer()));
  return { serve: async (create) => create(getRequestListener(app.fetch)) };
}

/** A server of Node, as docs/guide/beyond-middleware.md has it. */
function gateApp(answer: () => string, shed: Shed): App {
  const gate = createGate<IncomingMessage>({ ...LIMIT, ...(shed && { shed }) });
  const listener: Listener = async (request, response) => {
    const admission = await gate.admit(request, response);
    if (admission.state === 'ended') return;
    if (admission.state === 'denied') {
      const { contentType, text } = await admission.body();
      response.writeHead(admission.problem.status, { 'content-type': contentType }).end(text);
      return;
    }
    response.end(answer());
  };
  return { serve: async (create) => create(listener) };
}
