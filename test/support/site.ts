import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as startRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a server listens. */
export type Address = { readonly host: string; readonly port: number } | { readonly socketPath: string };

export interface TestRequest {
  /** @default 'GET' */
  readonly method?: string;
  /** As it goes over the wire. @default '/' */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** The address of the client, as a proxy reports it in `X-Forwarded-For`. */
  readonly from?: string;
}

export interface TestResponse {
  readonly status: number;
  /** The reason phrase. */
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the fields as the server wrote them, one for each line. */
  readonly names: readonly string[];
  readonly text: string;
  readonly trailers: Readonly<Record<string, string | undefined>>;
}

/** A server that listens, with a client that sends requests over one connection pool. */
export interface Site {
  readonly address: Address;
  readonly port: number;
  send(request?: TestRequest): Promise<TestResponse>;
  /** Sends requests one after the other. */
  sendEach(requests: readonly TestRequest[]): Promise<TestResponse[]>;
  /** Sends the same request several times, one after the other. */
  sendTimes(times: number, request?: TestRequest): Promise<TestResponse[]>;
  /** Starts a request, so that a test can abort it. */
  start(request?: TestRequest): ClientRequest;
  /** The same without the end of the body, which the test sends. */
  open(request?: TestRequest): ClientRequest;
  close(): Promise<void>;
}

/** An application of a framework that starts a server itself, such as one of Fastify. */
export interface ListeningApp {
  listen(place: { port: number; host: string } | { path: string }): Promise<unknown>;
  close(): unknown;
  readonly server: { address(): unknown };
}

/** A client for a server that listens already. `close` also calls `stop`. */
export function siteAt(address: Address, stop: () => unknown): Site {
  // Shorter than the 5 seconds of Node's server, which could close a connection while a request is on its way.
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  const open = ({ from, body, headers, ...request }: TestRequest = {}) =>
    startRequest({
      agent,
      ...address,
      ...request,
      headers: {
        ...headers,
        ...(from !== undefined && { 'X-Forwarded-For': from }),
        ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      },
    });
  const start = (request: TestRequest = {}) => open(request).end(request.body);
  const sendEach = async (requests: readonly TestRequest[]) => {
    const responses: TestResponse[] = [];
    for (const request of requests) responses.push(await responseTo(start(request)));
    return responses;
  };
  return {
    address,
    port: 'port' in address ? address.port : 0,
    open,
    start,
    sendEach,
    send: async (request) => responseTo(start(request)),
    sendTimes: (times, request = {}) => sendEach(Array.from({ length: times }, () => request)),
    async close() {
      agent.destroy();
      await stop();
    },
  };
}

/** Opens sites and closes them after each test. Call it inside `describe`. */
export function siteOpener(): (app: RequestListener | ListeningApp, socketPath?: string) => Promise<Site> {
  const sites: Site[] = [];

  afterEach(async () => {
    await Promise.all(sites.splice(0).map((site) => site.close()));
  });

  return async (app, socketPath) => {
    const site = typeof app === 'function' ? await openListener(app, socketPath) : await openApp(app, socketPath);
    sites.push(site);
    return site;
  };
}

/** Starts Node's own server for a listener, such as an application of Express. */
export async function openListener(listener: RequestListener, socketPath?: string): Promise<Site> {
  const server = createServer(listener);
  return siteAt(await listen(server, socketPath), () => closeServer(server));
}

/** Listens on a free port, or on a Unix socket. */
export async function listen(server: Server, socketPath?: string): Promise<Address> {
  if (socketPath === undefined) server.listen(0, '127.0.0.1');
  else server.listen(socketPath);
  await once(server, 'listening');
  return socketPath === undefined ? { host: '127.0.0.1', port: portOf(server) } : { socketPath };
}

export async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

async function openApp(app: ListeningApp, socketPath?: string): Promise<Site> {
  await app.listen(socketPath === undefined ? { port: 0, host: '127.0.0.1' } : { path: socketPath });
  const address = socketPath === undefined ? { host: '127.0.0.1', port: portOf(app.server) } : { socketPath };
  return siteAt(address, () => app.close());
}

function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port;
}

async function responseTo(outgoing: ClientRequest): Promise<TestResponse> {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return {
    status: response.statusCode ?? 0,
    reason: response.statusMessage ?? '',
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    names: response.rawHeaders.filter((_text, index) => index % 2 === 0),
    text,
    trailers: response.trailers,
  };
}

/** GET requests for paths. */
export function gets(...paths: readonly string[]): TestRequest[] {
  return paths.map((path) => ({ path }));
}
