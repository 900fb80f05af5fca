import { expressFour } from './stacks/express.js';
import { translationSuite } from './suite/suite.js';

translationSuite(expressFour);
