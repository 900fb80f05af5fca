import { nodeHttp } from './stacks/node.js';
import { translationSuite } from './suite/suite.js';

translationSuite(nodeHttp);
