import { exposeMetrics } from '@sluice/prometheus';
import { register } from 'prom-client';

/** @import { Store } from '@sluice/express' */
/** @import { Express } from 'express' */

/**
 * Serves the metrics of the limits to Prometheus. In production let only your scraper in, as by a port of its own.
 *
 * @param {Express} app
 * @param {Store} store
 */
export function serveMetrics(app, store) {
  exposeMetrics(register, { stores: { main: store }, top: 10 });
  app.get('/metrics', async (_request, response) => {
    response.type(register.contentType).send(await register.metrics());
  });
}
