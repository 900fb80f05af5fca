import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A request of Node and its response, without a server, for tests of headers. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** @param headers by names in lower case, as Node has them */
export function exchange(headers: Readonly<Record<string, string>> = {}, method = 'GET'): Exchange {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  Object.assign(request.headers, headers);
  return { request, response: new ServerResponse(request) };
}

/** The headers of a response, in order, as they are sent. */
export function headerLines(response: ServerResponse): string[] {
  // Missing in the types of Node.
  const names = (response as ServerResponse & { getRawHeaderNames(): string[] }).getRawHeaderNames();
  return names.map((name) => `${name}: ${String(response.getHeader(name))}`);
}
