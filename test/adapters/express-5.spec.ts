import { adapterSuite } from './adapter-suite.js';
import { express5 } from './express-5.js';

adapterSuite(express5);
