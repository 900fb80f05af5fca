import { subscribe } from 'node:diagnostics_channel';

// Imported before a program that serves. Its idle connections stay open, so that it never ends if it waits for them.
subscribe('http.server.request.start', (message) => {
  const { server } = /** @type {{ server: import('node:http').Server }} */ (message);
  server.keepAliveTimeout = 3_600_000;
});
