import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** Downloads and logs of the matrix. */
export const cache = join(root, 'node_modules', '.cache', 'sluice', 'matrix');
