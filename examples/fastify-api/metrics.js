import { exposeMetrics } from '@sluice/prometheus';
import { register } from 'prom-client';

/** @import { Store } from '@sluice/fastify' */
/** @import { FastifyInstance } from 'fastify' */

/**
 * Serves the metrics of the limits to Prometheus. In production let only your scraper in, as by a port of its own.
 *
 * @param {FastifyInstance} app
 * @param {Store} store
 */
export function serveMetrics(app, store) {
  exposeMetrics(register, { stores: { main: store }, top: 10 });
  app.get('/metrics', async (_request, reply) => {
    reply.type(register.contentType);
    return register.metrics();
  });
}
