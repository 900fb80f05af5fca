import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createDashboard, type Dashboard } from '@sluice/dashboard';
import type { Store } from '@sluice/nestjs';

/**
 * Serves the live page of the limits on /sluice, by the link with its token. In production pass `authorize`.
 *
 * @param fleet several processes may share the store
 */
export async function serveDashboard(app: INestApplication, store: Store, fleet: boolean): Promise<Dashboard> {
  const dashboard = createDashboard({ store, fleet });
  if (app.getHttpAdapter().getType() === 'fastify') {
    await (app as NestFastifyApplication).register(dashboard.fastify, { prefix: '/sluice' });
  } else app.use('/sluice', dashboard.handle);
  return dashboard;
}
