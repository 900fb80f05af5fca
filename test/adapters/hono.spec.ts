import { hono } from './stacks/hono.js';
import { translationSuite } from './suite/suite.js';

translationSuite(hono);
