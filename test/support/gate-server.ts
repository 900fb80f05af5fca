import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Admission, Gate } from '../../packages/http/src/index.js';

/** A server of Node, to test a gate without a framework. */
export interface GateServer {
  readonly url: string;
  /** Sends a request to the server. */
  send(init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** The gates of a request. */
type Gates = readonly Pick<Gate<IncomingMessage>, 'admit'>[];

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const running = new Set<GateServer>();

/**
 * Passes requests through gates in order, and admitted ones to a handler. The response to an error is 500
 * with its code.
 */
export async function serve(
  gates: Gates,
  handler: Handler = (_request, response) => response.end('welcome'),
): Promise<GateServer> {
  const server = createServer((request, response) => {
    void pass(gates, request, response)
      .then((admitted) => admitted && handler(request, response))
      .catch((error: Error & { code?: string }) => {
        response.statusCode = 500;
        response.end(`${error.name} ${error.code}: ${error.message}`);
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const gateServer: GateServer = {
    url,
    send: (init) => fetch(url, init),
    async close() {
      running.delete(gateServer);
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  running.add(gateServer);
  return gateServer;
}

/** For `afterEach`. */
export async function closeServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.close()));
}

async function pass(gates: Gates, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  for (const gate of gates) {
    const admission = await gate.admit(request, response);
    if (admission.state !== 'admitted') {
      await refuse(admission, response);
      return false;
    }
  }
  return true;
}

async function refuse(admission: Exclude<Admission, { state: 'admitted' }>, response: ServerResponse): Promise<void> {
  if (admission.state === 'ended') return;
  const { contentType, text } = await admission.body();
  response.statusCode = admission.problem.status;
  response.setHeader('Content-Type', contentType);
  response.end(text);
}
