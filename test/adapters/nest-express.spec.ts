import { adapterSuite } from './adapter-suite.js';
import { nestOnExpress } from './nest-express.js';

adapterSuite(nestOnExpress);
