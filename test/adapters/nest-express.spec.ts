import { nestOnExpress } from './stacks/nest.js';
import { translationSuite } from './suite/suite.js';

translationSuite(nestOnExpress);
