import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request at the mount of the dashboard. */
export interface Mounted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Below the mount, without a query: `/api/state`. */
  readonly path: string;
  /** As the client has sent it, without a query. */
  readonly mounted: string;
  /** Without its question mark. */
  readonly query: string;
  /** Takes the response over from the framework. */
  readonly begin: () => void;
  /** Has the application answer, as if nothing was mounted here. */
  readonly refuse: () => void;
}

/** The path and the query of an address. */
export function partsOf(url: string): { readonly path: string; readonly query: string } {
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url)!;
  return { path: path || '/', query };
}
