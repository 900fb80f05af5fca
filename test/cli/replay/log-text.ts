import { combinedLine } from './text-forms.js';
import type { Site, SiteRequest } from './site.js';

/** A format of logs: a line for a request. */
export type LogLine = (request: SiteRequest, start: number) => string;

/** `combined` of nginx and Apache: whole seconds. */
export const combined: LogLine = (request, start) => combinedLine(request, start + request.at);

/** A line of pino-http, with the key of the client in a header. */
export const json: LogLine = ({ at, client, method, url, status, agent }, start) =>
  JSON.stringify({
    time: start + at,
    req: { method, url, remoteAddress: '192.0.2.1', headers: { 'user-agent': agent, 'x-api-key': client.name } },
    res: { statusCode: status },
    responseTime: 0,
  });

/** The text of a log. */
export function textOf({ requests, start }: Site, line: LogLine): string {
  return `${requests.map((request) => line(request, start)).join('\n')}\n`;
}
