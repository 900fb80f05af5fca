import type { Cluster } from 'node:cluster';
import { warn } from '../../events/warning.js';

/**
 * Warns once of a memory store in a worker of `node:cluster`, such as one of PM2: each worker counts alone, so four of
 * them admit four times the limit.
 */
export function checkClusterWorker(): void {
  // A worker has a channel to its primary. Without one the module of clusters is not loaded.
  if (process.send === undefined) return;
  const { isWorker } = process.getBuiltinModule('node:cluster') as unknown as Pick<Cluster, 'isWorker'>;
  if (!isWorker) return;
  warn(
    'SLUICE_MEMORY_IN_CLUSTER',
    'memoryStore: each worker of node:cluster counts alone, so 4 admit 4 times a limit: use redisStore({ url })',
  );
}
