import { loopLaws, SHORT } from './loop-laws.js';

loopLaws(SHORT);
