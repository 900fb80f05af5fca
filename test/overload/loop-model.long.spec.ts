import { LONG, loopLaws } from './loop-laws.js';

loopLaws(LONG);
