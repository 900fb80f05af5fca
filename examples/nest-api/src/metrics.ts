import type { HttpServer, INestApplication } from '@nestjs/common';
import type { Store } from '@sluice/nestjs';
import { exposeMetrics } from '@sluice/prometheus';
import { register } from 'prom-client';

/** What the responses of both platforms can do. */
interface Reply {
  type(contentType: string): { send(body: string): unknown };
}

/** Serves the metrics of the limits to Prometheus. In production let only your scraper in, as by a port of its own. */
export function serveMetrics(app: INestApplication, store: Store): void {
  exposeMetrics(register, { stores: { main: store }, top: 10 });
  const adapter = app.getHttpAdapter() as HttpServer<unknown, Reply>;
  adapter.get('/metrics', (_request, reply) => {
    void register.metrics().then((page) => reply.type(register.contentType).send(page));
  });
}
