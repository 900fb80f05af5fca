import { fastify } from './stacks/fastify.js';
import { translationSuite } from './suite/suite.js';

translationSuite(fastify);
