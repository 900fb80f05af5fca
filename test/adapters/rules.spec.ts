import { expressFive } from './stacks/express.js';
import { ruleSuite } from './suite/suite.js';

ruleSuite(expressFive);
