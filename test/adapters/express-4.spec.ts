import { adapterSuite } from './adapter-suite.js';
import { express4 } from './express-4.js';

adapterSuite(express4);
