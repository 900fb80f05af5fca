import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createWebGate, trustProxy, type Decision, type HttpRequest, type Store, type WebGate } from '@sluice/core';
import { closeServer, listen } from '../../support/site.js';
import { served, type Limit, type Route, type Stack } from '../stack.js';

interface GatedRoute extends Route {
  readonly gates: readonly WebGate[];
  readonly authenticatedGates: readonly WebGate[];
}

/** What the server knows of a request. */
interface Arrived {
  readonly request: Request;
  readonly ip: string | undefined;
  /** Fires when the client has left. */
  readonly signal: AbortSignal;
  readonly socket: Socket;
}

/** The gate for web-standard requests on a server that speaks them, without a framework or an adapter. */
export const web: Stack = {
  name: 'the web gate',
  countsUnknownPaths: true,
  async start({ store, behindProxy = true, socketPath, everywhere, routes }) {
    const errors: unknown[] = [];
    const addressOf = trustProxy(behindProxy ? ['loopback'] : []);
    const first = everywhere ? [gateOf(everywhere, store)] : [];
    const gated = routes.map((route) => ({
      ...route,
      gates: [...first, ...(route.limits ?? []).map((limit) => gateOf(limit, store))],
      authenticatedGates: (route.authenticated ?? []).map((limit) => gateOf(limit, store)),
    }));
    const fetch = (made: Request, { incoming }: HttpBindings): Promise<Response> => {
      const request = withoutEmptyBody(made);
      const { pathname } = new URL(request.url);
      const ip = addressOf(incoming.socket.remoteAddress, request.headers.get('x-forwarded-for'));
      const route = gated.find((each) => each.path === pathname && answers(each, request.method));
      const signal = AbortSignal.any([request.signal, closingOf(incoming.socket)]);
      return respond({ request, ip, signal, socket: incoming.socket }, route ?? { ...NOT_FOUND, gates: first }, errors);
    };
    const listener = getRequestListener(fetch as never);
    const server = createServer((request, response) => void listener(request, response));
    return { address: await listen(server, socketPath), errors, close: () => closeServer(server) };
  },
};

/** As Bun, Deno and workerd make it: this server gives a body to all but GET and HEAD. */
function withoutEmptyBody(request: Request): Request {
  const { headers, method, signal, url } = request;
  if (method !== 'OPTIONS' || headers.has('content-length') || headers.has('transfer-encoding')) return request;
  return new Request(url, { headers, method, signal });
}

const NOT_FOUND = { path: '', authenticatedGates: [], handle: () => ({ status: 404, text: 'not found' }) };

function gateOf(limit: Limit, store: Store): WebGate {
  return createWebGate(limit.limiter ? limit : { store, ...limit });
}

function answers({ method = 'GET' }: Route, sent: string): boolean {
  return sent === method || (sent === 'HEAD' && method === 'GET');
}

type Wrap = (response: Response) => Response;

/** Wraps the response of a route by all of its gates, and also that to an error. */
async function respond(arrived: Arrived, route: GatedRoute, errors: unknown[]): Promise<Response> {
  const wraps: Wrap[] = [];
  const response = await pass(arrived, route, wraps).catch((error: unknown) => {
    errors.push(error);
    return new Response(null, { status: 500 });
  });
  return wraps.reduceRight((wrapped, wrap) => wrap(wrapped), response);
}

/** Passes the gates of a route in their order, and its handler. */
async function pass({ request, ip, signal, socket }: Arrived, route: GatedRoute, wraps: Wrap[]): Promise<Response> {
  const { gates, claims, authenticatedGates, handle = served } = route;
  const subject = { ...fieldsOf(request), ip, socket };
  const visits = [
    ...gates.map((gate) => () => gate.admit(request, { ip, signal })),
    ...authenticatedGates.map((gate) => () => gate.admit(request, { ip, signal, auth: claims?.(subject) })),
  ];
  let decision: Decision | undefined;
  for (const visit of visits) {
    const admission = await visit();
    if (!admission.allowed) return admission.response();
    decision = admission.decision ?? decision;
    wraps.push(admission.wrap);
  }
  const { status, text } = await handle({ request: subject, decision });
  return new Response(text === '' ? null : text, { status });
}

const closings = new WeakMap<Socket, AbortSignal>();

/** Node tells of one of several pipelined requests that its client has left, so the connection has to tell of the others. */
function closingOf(socket: Socket): AbortSignal {
  const known = closings.get(socket);
  if (known) return known;
  const controller = new AbortController();
  closings.set(socket, controller.signal);
  socket.once('close', () => controller.abort());
  return controller.signal;
}

/** What handlers of the suite read of a request. */
function fieldsOf({ headers, method, url }: Request): HttpRequest {
  return { headers: Object.fromEntries(headers), method, query: Object.fromEntries(new URL(url).searchParams) };
}
