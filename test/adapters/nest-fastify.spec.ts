import { adapterSuite } from './adapter-suite.js';
import { nestOnFastify } from './nest-fastify.js';

adapterSuite(nestOnFastify);
