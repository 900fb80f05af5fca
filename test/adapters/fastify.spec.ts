import { fastify } from './stacks/index.js';
import { adapterSuite } from './suite/suite.js';

adapterSuite(fastify);
