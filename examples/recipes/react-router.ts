// React Router 8 (Remix): a middleware of a route limits its loaders and its action, and those of the routes below it.
//
// - This is app/limits.server.ts. Without `.server` in its name the browser would load Sluice too, 232 kB, and fail.
// - `export const middleware = [limit]` in a route, or in `root.tsx` for all. Requests for data (`.data`) run it too.
// - A navigation runs several loaders. The middleware runs once for all of them, so it costs one. To count loaders, call
//   `gate.limiter.consume` in each.
// - `next()` must return the response, so that the gate adds its headers and ends permits with the body.
// - A middleware does not see the peer. ADDRESS_HEADER names the header that your proxy overwrites with the client, such as
//   `x-real-ip`. A client can write any header: without a proxy set none, and all clients share one budget.

import { createWebGate } from '@sluice/http';
import type { MiddlewareFunction } from 'react-router';

const { ADDRESS_HEADER: header } = process.env;
export const gate = createWebGate({ name: 'pages', limit: 5, window: '1m' });

export const limit: MiddlewareFunction<Response> = ({ request }, next) => {
  const ip = header ? (request.headers.get(header) ?? undefined) : undefined;
  return gate.run(request, { ip }, next);
};
