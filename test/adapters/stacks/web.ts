import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createWebGate, trustProxy, type Decision, type HttpRequest, type Store, type WebGate } from '@sluice/http';
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

/** The response of a route, also to an error: its gates add their headers. */
async function respond(arrived: Arrived, route: GatedRoute, errors: unknown[]): Promise<Response> {
  return answered(() => pass(arrived, route, errors), errors);
}

async function answered(answer: () => Promise<Response>, errors: unknown[]): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    errors.push(error);
    return new Response(null, { status: 500 });
  }
}

/** Passes the gates of a route in their order, and its handler. */
async function pass({ request, ip, signal, socket }: Arrived, route: GatedRoute, errors: unknown[]): Promise<Response> {
  const { gates, claims, authenticatedGates, handle = served } = route;
  const subject = { ...fieldsOf(request), ip, socket };
  const peer = socket.remoteAddress ?? 'unix';
  const visits = [
    ...gates.map((gate) => ({ gate, client: () => ({ ip, peer, signal }) })),
    ...authenticatedGates.map((gate) => ({ gate, client: () => ({ ip, peer, signal, auth: claims?.(subject) }) })),
  ];
  const from = async (place: number, earlier: Decision | undefined): Promise<Response> => {
    const visit = visits[place];
    if (visit !== undefined) {
      return visit.gate.run(request, visit.client(), (decision) =>
        answered(() => from(place + 1, decision ?? earlier), errors),
      );
    }
    const { status, text } = await handle({ request: subject, decision: earlier });
    return new Response(text === '' ? null : text, { status });
  };
  return from(0, undefined);
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
