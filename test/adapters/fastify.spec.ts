import { adapterSuite } from './adapter-suite.js';
import { fastify } from './fastify.js';

adapterSuite(fastify);
