import { expressFive } from './stacks/index.js';
import { adapterSuite } from './suite/suite.js';

adapterSuite(expressFive, true);
