import type { HttpRequest } from './request.js';

/** Where frameworks put the route that they have found. */
interface RoutedRequest extends HttpRequest {
  readonly url?: unknown;
  /** Of Fastify. */
  readonly routeOptions?: { readonly url?: unknown };
  /** Of Express. */
  readonly route?: { readonly path?: unknown };
}

export interface Route {
  /** For a message: `GET /exports/:id`. */
  readonly name: string;
  /** As the application has written it. Undefined if the framework does not tell it. */
  readonly pattern: string | undefined;
}

/** The route of a request. Where none is known, the name has the first part of the path: others may be secrets. */
export function routeOf(request: RoutedRequest): Route {
  const { method = 'a request', routeOptions, route, url } = request;
  const pattern = [routeOptions?.url, route?.path].find((each) => typeof each === 'string');
  if (pattern !== undefined) return { name: `${method} ${pattern}`, pattern };
  return { name: typeof url === 'string' ? `${method} ${firstPart(url)}` : method, pattern };
}

function firstPart(url: string): string {
  const [path = ''] = url.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/, 1);
  const [, first = '', ...others] = path.split('/');
  return `/${first.slice(0, 40)}${others.length > 0 ? '/…' : ''}`;
}
