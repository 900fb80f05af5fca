import { hono } from './stacks/index.js';
import { adapterSuite } from './suite/suite.js';

adapterSuite(hono);
