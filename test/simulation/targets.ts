import { mutants } from '../mutants/mutants.mjs';
import type { Edit } from '../tools/plant.mjs';
import { noTargets } from './no-targets.mjs';

/** A fault of the product, as edits of its sources. */
export interface Defect {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Kinds of fleets that run what is edited. @default all */
  readonly kinds?: readonly string[];
}

/**
 * Rooms of the product whose mutants the simulation runs, by their folders: the first that fits has a file. Kinds are those of
 * fleets that run it; without any, all do.
 */
const ROOMS: readonly (readonly [name: string, folder: RegExp, kinds?: readonly string[]])[] = [
  ['shares', /\/concurrency\/wishes\//, ['shares', 'permits']],
  ['permits', /\/with-permits\/pauses/, ['pauses']],
  ['permits', /\/with-permits\/(renewals|held-permits)|\/concurrency\/permits/, ['permits', 'lapses']],
  ['permits', /\/stores\/with-permits\/|\/algorithms\/concurrency\//, ['permits', 'lapses', 'pauses', 'shares']],
  ['leases', /\/stores\/with-lease\//, ['leases']],
  ['quotas', /\/open-usage|[\w-]*open-usage\.lua$|\/key-scan|\/scan-keys/, ['exports']],
  ['quotas', /\/quotas\/src\/usage\/|\/(list|lock)-[\w-]*usage\.lua$/, ['exports', 'quotas']],
  ['quotas', /\/quotas\/src\/(credits|ends)\//, ['quotas', 'grants', 'subscriptions']],
  ['quotas', /\/quotas\/|\/core\/src\/scripts\/(counted-|[\w-]*usage|payment)/, ['quotas', 'subscriptions']],
  ['connection', /\/connection\/cluster-/, ['windows', 'ledger', 'accounts']],
  ['connection', /\/redis\/src\/(connection|client)\//, ['windows', 'ledger', 'permits', 'quotas', 'runs']],
  ['batches, scripts and Cluster', /-list\.lua$/, ['lists']],
  ['batches, scripts and Cluster', /\/running-units/, ['crowds']],
  ['batches, scripts and Cluster', /\/release\.lua$/, ['permits', 'runs']],
  ['batches, scripts and Cluster', /\/scripts\/compose\.ts$/, ['crowds', 'batches']],
  ['batches, scripts and Cluster', /\/held-marks/, ['quotas']],
  ['batches, scripts and Cluster', /\/cluster\.ts$/, ['accounts', 'ledger', 'quotas']],
  [
    'batches, scripts and Cluster',
    /\/redis\/src\/|\/core\/src\/scripts\//,
    ['windows', 'ledger', 'permits', 'quotas', 'overrides'],
  ],
  ['outbox, deny cache and fallback', /\/stores\/(?!memory|inspections)[^/]+\.ts/],
  ['lines', /\/waiting\//, ['runs']],
];

/** The mutants that the simulation is to find, by their room. */
export function targetsByRoom(): ReadonlyMap<string, readonly Defect[]> {
  const rooms = new Map<string, Defect[]>(ROOMS.map(([room]) => [room, []]));
  for (const { name, file, text, replacement } of mutants) {
    const [room, , kinds] = ROOMS.find(([, folder]) => folder.test(file)) ?? [];
    if (room === undefined || noTargets.has(name)) continue;
    rooms.get(room)!.push({ name, edits: [{ file, text, replacement }], ...(kinds && { kinds }) });
  }
  return rooms;
}
