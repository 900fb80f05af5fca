import { nestOnFastify } from './stacks/nest.js';
import { translationSuite } from './suite/suite.js';

translationSuite(nestOnFastify);
