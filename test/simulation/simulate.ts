import { setHost } from './world/globals.js';
import { faults as allFaults, plan } from './faults.js';
import { Fleet } from './fleet.js';
import type { Kind } from './kinds/kind.js';
import { accounts } from './kinds/accounts.js';
import { leases, ledger } from './kinds/ledger.js';
import { pauses } from './kinds/pauses.js';
import { permits } from './kinds/permits.js';
import { windows } from './kinds/windows.js';
import { Requests } from './requests.js';
import { World, type Line } from './world/world.js';

setHost(undefined);

export const kinds: readonly Kind[] = [windows, permits, pauses, ledger, leases, accounts];

export interface Simulated {
  readonly seed: number;
  readonly kind: string;
  readonly faults: readonly string[];
  /** The laws that were broken. */
  readonly problems: readonly string[];
  readonly requests: number;
  readonly story: readonly Line[] | undefined;
}

/** Milliseconds without a fault before a run ends. */
const QUIET_MS = 7_000;
const CLOSE_MS = 1_000;
const TIMERS_MS = 12_000;

/** Runs the fleet of a seed, with its faults, and checks the laws. The same seed gives the same run. */
export async function simulate(seed: number, { isTraced = false } = {}): Promise<Simulated> {
  const world = new World(seed, { isTraced });
  const { random } = world;
  const kind = kinds[seed % kinds.length]!;
  let names: readonly string[] = [];
  const started = new Map<object, { close(): Promise<void> }>();
  const fleet = new Fleet(world, {
    size: random.pick([1, 2, 2, 3, 4]),
    servers: random.pick(kind.servers ?? [1]),
    onStart: (member) => {
      world.tell(member.process.name, 'starts');
      started.set(member, scene.limiterOf(member));
    },
  });
  const requests = new Requests(fleet);
  const scene: ReturnType<Kind['begin']> = kind.begin(fleet, requests, () => names);
  const { pace } = scene;
  const until = random.integer(1_500, 4_000);
  names = plan(
    fleet,
    allFaults.filter(({ name }) => !kind.without?.some((part) => name.includes(part))),
    until,
  );
  const arrive = () => {
    if (world.now > until + QUIET_MS * 0.4) return;
    const member = random.pick(fleet.members);
    if (member && !member.process.isDead) member.process.deliver(() => scene.act(member));
    world.after(-Math.log(1 - random.fraction()) * pace * (world.now > until ? 4 : 1), arrive);
  };
  world.after(1, arrive);
  const rejections: unknown[] = [];
  const onRejection = (error: unknown) => rejections.push(error);
  process.on('unhandledRejection', onRejection);
  try {
    await world.run(until + QUIET_MS);
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
    scene.check?.();
    for (const { client } of fleet.members) client.end();
    await world.run(world.now + TIMERS_MS);
    for (const { process: each } of fleet.members) {
      if (each.timers() > 0) world.fail(`${each.name} has ${each.timers()} timers after it has closed`);
    }
    // Node reports rejections that nothing handles when its loop turns.
    if (seed % 16 === 0 || isTraced) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    setHost(undefined);
    process.off('unhandledRejection', onRejection);
  }
  for (const error of rejections) world.fail(`nothing handles a rejection: ${String(error)}`);
  const { problems, story } = world;
  return { seed, kind: kind.name, faults: names, problems, requests: requests.all.length, story };
}
