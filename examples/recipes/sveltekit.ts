// SvelteKit 3: `handle` of src/hooks.server.ts limits pages, endpoints, form actions and remote functions.
//
// - `getClientAddress` is right if the adapter is: adapter-node needs ADDRESS_HEADER and XFF_DEPTH behind a proxy.
// - A `fetch` in a `load` function that stays inside the application is a sub-request: it does not count again.
// - Static files do not run `handle`. A page with `prerender` runs it while the application is built, without a client.
// - With several hooks: `sequence(limit, authenticate)` counts before it authenticates.

import { building } from '$app/env';
import { createWebGate } from '@sluice/http';

/** As `Handle` of @sveltejs/kit. Import that type in your application. */
interface HandleInput<E> {
  readonly event: E;
  readonly resolve: (event: E) => Promise<Response> | Response;
}

interface Event {
  readonly request: Request;
  readonly isSubRequest: boolean;
  getClientAddress(): string;
}

export const gate = createWebGate({ name: 'site', limit: 5, window: '1m' });

export async function handle<E extends Event>({ event, resolve }: HandleInput<E>): Promise<Response> {
  if (building || event.isSubRequest) return resolve(event);
  return gate.run(event.request, { ip: event.getClientAddress() }, () => resolve(event));
}
