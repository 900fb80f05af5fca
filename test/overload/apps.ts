import { createGate } from '@sluice/core';
import { shedder, type Priority, type Shedder, type ShedderOptions } from '@sluice/core/shed';
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

export function appOf({ server, sheds }: ServerSetup): App {
  if (server === 'nothing') return expressApp();
  if (server === 'under-pressure') return fastifyApp(undefined, sheds === 'always');
  const shed = shedOf(sheds);
  const apps: Record<Exclude<ServerName, 'nothing' | 'under-pressure'>, (by: Shedder<Request>) => App> = {
    express: expressApp,
    fastify: fastifyApp,
    hono: honoApp,
    gate: gateApp,
  };
  return { ...apps[server](shed), shed };
}

function shedOf(sheds: ServerSetup['sheds']): Shedder<Request> {
  const options: ShedderOptions<Request> = {
    priority: ({ url = '' }) => priorityOf(url) ?? 'critical',
    // As a proxy says it.
    key: ({ headers }) => String(headers['x-forwarded-for']),
  };
  return sheds === 'always' ? overloadedShedder(options) : shedder(options);
}

function priorityOf(url: string): Priority | undefined {
  return PRIORITIES.find((each) => url.endsWith(`/${each}`));
}

/** Works for some milliseconds: as long as a request does, where nothing else is said. */
export function work(milliseconds = WORK): string {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
  return 'done';
}

function expressApp(shed?: Shedder<Request>): App {
  const app = express();
  if (shed) app.use(expressLimit({ ...LIMIT, shed }));
  app.use((_request, response) => void response.send(work()));
  return { serve: async (create) => create(app) };
}

function fastifyApp(shed: Shedder<Request> | undefined, isPressed = false): App {
  return {
    async serve(create) {
      let server: Server | undefined;
      const app = Fastify({ serverFactory: (listener) => (server = create(listener)) });
      // One byte of heap is under pressure always.
      const bound = isPressed ? { maxHeapUsedBytes: 1 } : { maxEventLoopDelay: 100, sampleInterval: 100 };
      if (shed) await app.register(fastifyLimit, { ...LIMIT, shed });
      else await app.register(underPressure, bound);
      app.get('/*', async () => work());
      await app.ready();
      return server!;
    },
  };
}

function honoApp(shed: Shedder<Request>): App {
  const app = new Hono();
  app.use(honoLimit({ ...LIMIT, shed }));
  app.get('/*', (context) => context.text(work()));
  return { serve: async (create) => create(getRequestListener(app.fetch)) };
}

/** A server of Node, as docs/guide/beyond-middleware.md has it. */
function gateApp(shed: Shedder<Request>): App {
  const gate = createGate<IncomingMessage>({ ...LIMIT, shed });
  const listener: Listener = async (request, response) => {
    const admission = await gate.admit(request, response);
    if (admission.state === 'ended') return;
    if (admission.state === 'denied') {
      const { contentType, text } = await admission.body();
      response.writeHead(admission.problem.status, { 'content-type': contentType }).end(text);
      return;
    }
    response.end(work());
  };
  return { serve: async (create) => create(listener) };
}
