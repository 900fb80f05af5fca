// React Router 8 (Remix): a middleware of a route limits its loaders and its action, and those of the routes below it.
//
// - A navigation runs several loaders. The middleware runs once for all of them, so it costs one. To count loaders, call
//   `gate.limiter.consume` in each.
// - Export it as `middleware` of the route, or of `root.tsx` for all. Requests for data (`.data`) run it too.
// - `next()` must return the response, so that the gate adds its headers and ends permits with the body.
// - `x-real-ip` must come from your proxy: a client can write it otherwise.

import { createWebGate } from '@sluice/core';
import type { LoaderFunctionArgs, MiddlewareFunction } from 'react-router';

export const gate = createWebGate({ name: 'pages', limit: 5, window: '1m' });

const limit: MiddlewareFunction<Response> = ({ request }, next) =>
  gate.run(request, { ip: request.headers.get('x-real-ip') ?? undefined }, next);

export const middleware = [limit];

export function loader({ params }: LoaderFunctionArgs) {
  return { product: params['name'] };
}
