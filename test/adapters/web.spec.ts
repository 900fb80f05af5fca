import { web } from './stacks/index.js';
import { adapterSuite } from './suite/suite.js';

adapterSuite(web);
