import { web } from './stacks/web.js';
import { translationSuite } from './suite/suite.js';

translationSuite(web);
