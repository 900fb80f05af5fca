import { setHost } from './world/globals.js';
import { faults as allFaults, plan } from './faults.js';
import { Fleet } from './fleet.js';
import type { Kind, Scene } from './kinds/kind.js';
import { accounts } from './kinds/accounts.js';
import { crowded } from './kinds/crowded.js';
import { fleets } from './kinds/fleets.js';
import { leases, ledger } from './kinds/ledger.js';
import { lines } from './kinds/line.js';
import { lists } from './kinds/lists.js';
import { pauses } from './kinds/pauses.js';
import { lapses, permits } from './kinds/permits.js';
import { exported, grants, quotas, subscriptions } from './kinds/quotas.js';
import { runs } from './kinds/runs.js';
import { shares } from './kinds/shares.js';
import { demotions, overrides, windows } from './kinds/windows.js';
import { Requests } from './requests.js';
import { World, type Line } from './world/world.js';

setHost(undefined);

export const kinds: readonly Kind[] = [
  windows,
  permits,
  pauses,
  ledger,
  leases,
  accounts,
  lists,
  runs,
  overrides,
  quotas,
  demotions,
  fleets,
  subscriptions,
  shares,
  lapses,
  exported,
  crowded(permits, 'crowds'),
  crowded(ledger, 'batches', ['jumps back']),
  grants,
  lines,
];

export interface Simulated {
  readonly seed: number;
  readonly kind: string;
  readonly faults: readonly string[];
  /** The laws that were broken. */
  readonly problems: readonly string[];
  readonly requests: number;
  readonly story: readonly Line[] | undefined;
}

/** Milliseconds in which faults begin and end. A run with few requests is cheap, and so are many different runs. */
const STORY_MS = [300, 2_500] as const;
const REQUESTS = [10, 50] as const;
const FAULTS = [0, 1, 1, 1, 2, 2] as const;
/** Requests that follow when the faults are over, and milliseconds within which they come. */
const LATE_REQUESTS = [3, 12] as const;
const LATE_MS = 1_500;
/** Milliseconds without a fault before a run ends. */
const QUIET_MS = 7_000;
const CLOSE_MS = 1_000;
const TIMERS_MS = 12_000;

export interface SimulateOptions {
  readonly isTraced?: boolean;
  /** The names of kinds, of which the seed decides one. @default all */
  readonly only?: readonly string[];
}

/** Runs the fleet of a seed, with its faults, and checks the laws. The same seed gives the same run. */
export async function simulate(seed: number, options: SimulateOptions = {}): Promise<Simulated> {
  const { isTraced = false, only = [] } = options;
  const chosen = only.length === 0 ? kinds : kinds.filter(({ name }) => only.includes(name));
  const kind = chosen[seed % chosen.length]!;
  const world = new World(seed, { isTraced });
  const { random } = world;
  let names: readonly string[] = [];
  const started = new Map<object, ReturnType<Scene['open']>>();
  const fleet = new Fleet(world, {
    size: random.pick([1, 2, 2, 3]),
    servers: random.pick(kind.servers ?? [1]),
    onStart: (member) => {
      world.tell(member.process.name, 'starts');
      started.set(member, scene.open(member));
    },
    onLoss: (server, left) => scene.onLoss?.(server, left),
  });
  const requests = new Requests(fleet);
  const scene: Scene = kind.begin(fleet, requests, () => names);
  const until = random.magnitude(...(kind.story ?? STORY_MS));
  const allowed = allFaults.filter(
    ({ name, needsCluster }) =>
      (fleet.isCluster || needsCluster !== true) && !kind.without?.some((part) => name.includes(part)),
  );
  const onBegin = (milliseconds: number) => scene.onFault?.(milliseconds);
  names = plan(fleet, allowed, {
    until,
    count: random.pick(kind.faults ?? FAULTS),
    likely: kind.likely ?? [],
    onBegin,
  });
  const arrive = () => {
    const member = random.pick(fleet.members);
    if (!member.process.isDead) member.process.deliver(() => scene.act(member));
  };
  for (let left = random.integer(...REQUESTS); left > 0; left -= 1) world.at(1 + until * random.fraction(), arrive);
  for (let left = random.integer(...LATE_REQUESTS); left > 0; left -= 1) {
    world.at(until + LATE_MS * random.fraction(), arrive);
  }
  const rejections: unknown[] = [];
  const onRejection = (error: unknown) => rejections.push(error);
  process.on('unhandledRejection', onRejection);
  try {
    await world.run(until + (kind.quiet ?? QUIET_MS));
    scene.settle?.();
    const open = new Set(fleet.members.filter(({ process: each }) => !each.isDead));
    for (const member of open) {
      member.process.deliver(() => {
        const close = async () => {
          await started.get(member)!.close();
          await member.store.close();
          open.delete(member);
        };
        close().catch((error: unknown) => world.fail(`close rejects: ${String(error)}`));
      });
    }
    await world.run(world.now + CLOSE_MS);
    for (const { process: each } of open) world.fail(`${each.name} has not closed within ${CLOSE_MS} ms`);
    requests.checkAnswered();
    requests.checkServed(until, names);
    scene.check?.();
    for (const { client } of fleet.members) client.end();
    await world.run(world.now + TIMERS_MS);
    for (const { process: each } of fleet.members) {
      if (each.timers() > 0) world.fail(`${each.name} has ${each.timers()} timers after it has closed`);
    }
    // Node reports rejections that nothing handles when its loop turns.
    if (seed % 16 === 0 || isTraced) await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    world.fail(`the run throws ${String(error)}`);
  } finally {
    setHost(undefined);
    process.off('unhandledRejection', onRejection);
  }
  for (const error of rejections) world.fail(`nothing handles a rejection: ${String(error)}`);
  const { problems, story } = world;
  return { seed, kind: kind.name, faults: names, problems, requests: requests.all.length, story };
}
