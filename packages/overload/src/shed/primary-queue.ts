import type { Cluster } from 'node:cluster';
import { warn } from '@sluice/core/internal';
import type { HttpRequest } from '@sluice/http/internal';

interface ServedSocket {
  readonly server?: { readonly _handle?: object | null };
}

/** Warns once of a worker of `node:cluster` whose primary hands connections out: they queue there, where no worker sees them. */
export function inspectPrimary(request: HttpRequest): void {
  // A worker has a channel to its primary. Without one the module of clusters is not loaded.
  if (process.send === undefined) return;
  const { isWorker } = process.getBuiltinModule('node:cluster') as unknown as Pick<Cluster, 'isWorker'>;
  if (!isWorker || !isHandedOut(request)) return;
  warn(
    'SLUICE_SHEDDER_IN_CLUSTER',
    "shedder: the primary of node:cluster hands out connections in turn, so that they queue there, and this worker does not see them. Set cluster.schedulingPolicy = cluster.SCHED_NONE before the first fork, or listen({ port, reusePort: true }) on Node 23.1 and later, or let your proxy send times: shedder({ features: [sentTimes({ header: 'x-request-start', from: ['10.0.0.0/8'] })] })",
  );
}

/** A worker does not know the policy, which its primary may have set. What it has of a server of the primary has no descriptor. */
function isHandedOut({ socket }: HttpRequest): boolean {
  const { _handle: handle } = (socket as ServedSocket | undefined)?.server ?? {};
  return handle !== undefined && handle !== null && !('fd' in handle);
}
