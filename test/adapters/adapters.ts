import { express4 } from './express-4.js';
import { express5 } from './express-5.js';
import { fastify } from './fastify.js';
import { nestOnExpress } from './nest-express.js';
import { nestOnFastify } from './nest-fastify.js';

/** All of them; the first is what the others are compared with. */
export const adapters = [express5, express4, fastify, nestOnExpress, nestOnFastify] as const;
