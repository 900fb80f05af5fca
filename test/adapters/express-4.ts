import { createRequire } from 'node:module';
import type { Express } from './express/frameworks.js';
import { expressAdapter } from './express.js';

// Its types are those of another package; what is called here is the same.
export const express4 = expressAdapter('Express 4', createRequire(import.meta.url)('express-4') as Express);
