import { nestOnFastify } from './stacks/index.js';
import { adapterSuite } from './suite/suite.js';

adapterSuite(nestOnFastify);
