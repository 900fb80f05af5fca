import cluster from 'node:cluster';
import { createLimiter } from '@sluice/core';

// The primary and two workers, each with a limiter in memory, and what each warns of.
process.on('warning', (warning) => {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (warning);
  if (code?.startsWith('SLUICE')) console.log(`${cluster.isPrimary ? 'primary' : 'worker'} ${code} ${message}`);
});

createLimiter({ key: () => 'all', limit: 10, window: '1m' });
createLimiter({ key: () => 'all', name: 'hour', limit: 10, window: '1h' });
if (cluster.isPrimary) {
  for (let count = 0; count < 2; count += 1) cluster.fork();
} else {
  setImmediate(() => process.disconnect());
}
