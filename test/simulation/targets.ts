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
  ['permits', /\/with-permits\/(renewals|held-permits)|\/concurrency\/permits/, ['permits']],
  ['permits', /\/stores\/with-permits\/|\/algorithms\/concurrency\//, ['permits', 'pauses', 'shares']],
  ['leases', /\/stores\/with-lease\//, ['leases']],
  ['quotas', /\/open-usage|[\w-]*open-usage\.lua$|\/key-scan|\/scan-keys/, ['subscriptions']],
  ['quotas', /\/quotas\/src\/(credits\/(grants|credited-account|low)|ends\/)/, ['grants']],
  ['quotas', /\/quotas\/src\/credits\//, ['quotas', 'grants', 'subscriptions']],
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

/** Mutants that fleets of another kind find sooner than those of their room. */
const KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['a stalled process takes more permits before it renews', ['lapses']],
  ['permits are not renewed when the server is ready again', ['lapses']],
  ['the local store decides about a failed check by permits that have lapsed in it', ['lapses']],
  ['a check is decided although the renewal of a lapsed permit is lost', ['lapses']],
  ['a release is sent once whose renewal has had no answer', ['lapses']],
  ['a permit is renewed after its end', ['lapses']],
  ['a renewal that has failed takes the mark of another one', ['lapses']],
  ['a store that fails a fact keeps the charges of the check behind it', ['permits', 'lapses']],
  ['a request that was admitted after it had left keeps its permit', ['permits']],
  ['the end of a permit that a server refuses to write is dropped', ['lapses']],
  ['a late reply takes its notice along', ['quotas']],
  ['a late reply answers its request', ['quotas']],
  ['a mark of another window counts as reported', ['quotas']],
  ['a request over two slots never tells what it has held back', ['quotas']],
  ['a client waits for the month that its credits would pay, where another tier denies', ['quotas']],
  ['a Redis that has lost the number of the last export gives a lower one', ['subscriptions', 'exports']],
  ['a refund in Redis undoes strikes', ['accounts']],
  ['a strike that fails keeps the units of a denied request', ['accounts']],
  ['a failed request on a Cluster stays charged on the other nodes', ['accounts', 'ledger']],
  ['calls wait for a primary that was ready before the first of them, and is lost', ['accounts']],
  ['a call waits for a Cluster, and as long again for one of its primaries', ['accounts', 'windows']],
  ['a ban in another hash tag hears of its begin one request late', ['accounts']],
  ['an answer does not end a row of failures', ['windows']],
  ['the general path of a made script forgets the units of a repeated key', ['batches']],
  ['a repeated credit in Redis lets a balance be low again', ['grants']],
  ['an hourly run sees one primary of a Cluster', ['grants']],
  ['an export leaves out an hour that was refunded whole, although a failed sink may have it', ['exports']],
  ['an export forgets a refund that comes while it reads the hours after it', ['exports']],
  ['an export trusts a scan during which Redis has lost data', ['exports']],
]);

/** The mutants that the simulation is to find, by their room. */
export function targetsByRoom(): ReadonlyMap<string, readonly Defect[]> {
  const rooms = new Map<string, Defect[]>(ROOMS.map(([room]) => [room, []]));
  for (const { name, file, text, replacement } of mutants) {
    const [room, , ofRoom] = ROOMS.find(([, folder]) => folder.test(file)) ?? [];
    const kinds = KINDS.get(name) ?? ofRoom;
    if (room === undefined || noTargets.has(name)) continue;
    rooms.get(room)!.push({ name, edits: [{ file, text, replacement }], ...(kinds && { kinds }) });
  }
  return rooms;
}
