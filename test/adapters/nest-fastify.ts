import { FastifyAdapter } from '@nestjs/platform-fastify';
import { nestAdapter } from './nest.js';

export const nestOnFastify = nestAdapter(
  'Nest on Fastify',
  (behindProxy) => new FastifyAdapter({ trustProxy: behindProxy ? 'loopback' : false }),
);
