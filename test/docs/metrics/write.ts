import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';
import { metricsReference } from './reference.js';

// npm run reference
writeFileSync(join(root, 'docs', 'reference', 'metrics.md'), metricsReference());
