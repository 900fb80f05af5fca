import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { parse } from 'node:querystring';
import { createGate, holdWhile, type Admission, type Decision, type Gate, type Store } from '@sluice/http';
import { closeServer, listen } from '../../support/site.js';
import { served, type Limit, type Route, type Stack } from '../stack.js';

/** What a framework adds to Node's request, as far as limits read it. */
type NodeRequest = IncomingMessage & { ip?: string | undefined; query?: unknown; auth?: unknown };

interface GatedRoute extends Route {
  readonly gates: readonly Gate<NodeRequest>[];
  readonly authenticatedGates: readonly Gate<NodeRequest>[];
}

/** The gate of core on Node's own server, without a framework or an adapter. */
export const nodeHttp: Stack = {
  name: 'the gate on node:http',
  countsUnknownPaths: true,
  async start({ store, behindProxy = true, socketPath, everywhere, routes }) {
    const errors: unknown[] = [];
    const first = everywhere ? [gateOf(everywhere, store)] : [];
    const gated = routes.map((route) => ({
      ...route,
      gates: [...first, ...(route.limits ?? []).map((limit) => gateOf(limit, store))],
      authenticatedGates: (route.authenticated ?? []).map((limit) => gateOf(limit, store)),
    }));
    const server = createServer((request, response) => {
      const { pathname, search } = new URL(request.url!, 'http://node');
      const ip = behindProxy ? clientAddress(request) : request.socket.remoteAddress;
      Object.assign(request, { ip, query: parse(search.slice(1)) });
      const route = gated.find((each) => each.path === pathname && answers(each, request.method));
      handle(request, response, route ?? { ...NOT_FOUND, gates: first }).catch((error: unknown) => {
        errors.push(error);
        response.statusCode = 500;
        response.end();
      });
    });
    return { address: await listen(server, socketPath), errors, close: () => closeServer(server) };
  },
};

const NOT_FOUND = { path: '', authenticatedGates: [], handle: () => ({ status: 404, text: 'not found' }) };

function gateOf(limit: Limit, store: Store): Gate<NodeRequest> {
  return createGate<NodeRequest>(limit.limiter ? limit : { store, ...limit });
}

function answers({ method = 'GET' }: Route, sent = ''): boolean {
  return sent === method || (sent === 'HEAD' && method === 'GET');
}

async function handle(request: NodeRequest, response: ServerResponse, route: GatedRoute): Promise<void> {
  const { gates, claims, authenticatedGates, handle: answer = served } = route;
  const before = await pass(gates, request, response);
  if (!before) return;
  if (claims) request.auth = claims(request);
  const after = await pass(authenticatedGates, request, response);
  if (!after) return;
  const decision = after.decision ?? before.decision;
  const { status, text } = await holdWhile(request, async () => answer({ request, decision }));
  response.statusCode = status;
  response.end(text);
}

/** Passes gates in their order. Answers the request and returns undefined when one of them denies it. */
async function pass(
  gates: readonly Gate<NodeRequest>[],
  request: NodeRequest,
  response: ServerResponse,
): Promise<{ readonly decision: Decision | undefined } | undefined> {
  let decision: Decision | undefined;
  for (const gate of gates) {
    const admission: Admission = await gate.admit(request, response);
    if (admission.state !== 'admitted') {
      if (admission.state === 'denied') await deny(admission, response);
      return undefined;
    }
    decision = admission.decision ?? decision;
  }
  return { decision };
}

async function deny(
  { problem, body }: Extract<Admission, { state: 'denied' }>,
  response: ServerResponse,
): Promise<void> {
  const { contentType, text } = await body();
  response.statusCode = problem.status;
  response.setHeader('Content-Type', `${contentType}; charset=utf-8`);
  response.end(text);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** The nearest address that is no proxy on this machine, as frameworks that trust loopback find it. */
function clientAddress({ socket, headers }: IncomingMessage): string | undefined {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((hop) => hop !== '');
  // On a Unix socket the peer has no address, and no framework trusts it.
  if (socket.remoteAddress === undefined) return undefined;
  const hops = [...forwarded, socket.remoteAddress];
  return hops.findLast((hop) => !loopback.check(hop, isIPv6(hop) ? 'ipv6' : 'ipv4')) ?? hops[0];
}
