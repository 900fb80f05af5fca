// Elysia 1: a plugin that admits each request before it is routed, so a request without a route counts too.
//
// - `server.requestIP` knows the peer on Bun. Behind a proxy, pass the header that your proxy overwrites instead.
// - A preflight counts unless your plugin for CORS answers it first: register that one before this.
// - Permits (`concurrency`) need `gate.run` around `app.handle`, because a hook does not see the end of a body.

import { createWebGate } from '@sluice/http';
import { Elysia } from 'elysia';

export const gate = createWebGate({ name: 'api', limit: 5, window: '1m' });

export const limits = new Elysia({ name: 'limits' }).onRequest(async ({ request, server, set }) => {
  const admission = await gate.admit(request, { ip: server?.requestIP(request)?.address });
  for (const [name, value] of admission.headers) set.headers[name] = value;
  return admission.allowed ? undefined : admission.response();
});

export const app = new Elysia()
  .use(limits)
  .get('/', () => 'hello')
  .post('/save', () => 'saved');
