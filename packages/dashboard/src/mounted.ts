import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request at the mount of the dashboard. */
export interface Mounted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Below the mount, without a query: `/api/state`. */
  readonly path: string;
  /** As the client has sent it, without a query. */
  readonly mounted: string;
}

/** Without its query. */
export function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '') || '/';
}
