import type { ServerResponse } from 'node:http';

/** The names of the headers of a response, in the letters in which they were set. The types of Node know it of requests alone. */
export function rawHeaderNames(response: ServerResponse): readonly string[] {
  return (response as unknown as { getRawHeaderNames(): string[] }).getRawHeaderNames();
}
