import { expressFive, expressFour } from './express.js';
import { fastify } from './fastify.js';
import { hono } from './hono.js';
import { nestOnExpress, nestOnFastify } from './nest.js';
import { nodeHttp } from './node.js';
import { web } from './web.js';

export { expressFive, expressFour, fastify, hono, nestOnExpress, nestOnFastify, nodeHttp, web };

export const stacks = [expressFive, expressFour, fastify, hono, nestOnExpress, nestOnFastify, nodeHttp, web] as const;
