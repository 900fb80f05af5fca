import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A request and its response as Node makes them, without a server: where headers are all that matters. */
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

/** The headers that were set, in their order, as they go out. */
export function headerLines(response: ServerResponse): string[] {
  // Node's types do not know that a response has these.
  const names = (response as ServerResponse & { getRawHeaderNames(): string[] }).getRawHeaderNames();
  return names.map((name) => `${name}: ${String(response.getHeader(name))}`);
}
