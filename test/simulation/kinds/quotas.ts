import {
  createLimiter,
  type Decision,
  type Limiter,
  type Notice,
  type Tier,
} from '../../../packages/core/src/index.js';
import {
  balance,
  creditsOf,
  exportUsage,
  notices,
  usage,
  type UsageExport,
} from '../../../packages/quotas/src/index.js';
import { digestOf, identityText } from '../../../packages/core/src/limiter/claims/store-keys.js';
import type { Member } from '../fleet.js';
import { Bills } from './bills.js';
import { Credited } from './credited.js';
import { Kept } from './kept.js';
import type { Kind } from './kind.js';
import { readQuota, type StoredQuota } from './stored-quota.js';

interface Subject {
  readonly user: string;
  readonly blocked: boolean;
}

const USERS = ['ada', 'bob'];
const LIMIT = 20;
const MARKS = [0.5, 1];
/** Units of one credit. */
const CREDIT = 15;
/** Milliseconds in which a process that has died keeps the lock of the export, and then some exports. */
const QUIET_MS = 60_000 + 3 * 10_000;

// On a Cluster a balance and the tiers that it covers have one key function.
const key = ({ user }: Subject) => user;
const label = key;

const tiers: readonly Tier<Subject>[] = [
  {
    name: 'month',
    key,
    label,
    algorithm: 'fixed-window',
    limit: LIMIT,
    window: '1h',
    notices: notices(...MARKS),
    usage: usage(),
  },
  { name: 'credits', key, algorithm: balance({ covers: ['month'] }), usage: usage() },
  {
    name: 'other',
    key: ({ blocked }) => (blocked ? 'all' : 'none'),
    limit: ({ blocked }) => (blocked ? 1 : null),
    window: '1h',
  },
];

/** Units that customers pay for: a quota with notices, credits that cover it, and an export of the usage of both. */
export const quotas: Kind = {
  name: 'quotas',
  servers: [1, 1, 3],
  quiet: QUIET_MS,
  begin(fleet, requests, faults) {
    const { world } = fleet;
    const { random } = world;
    const limiters = new Map<Member, Limiter<Subject>>();
    const exports = new Map<Member, UsageExport>();
    const kept = new Map(USERS.map((user) => [user, new Kept(fleet, faults)]));
    const credited = new Map(USERS.map((user) => [user, new Credited(world, CREDIT)]));
    const told: Notice[] = [];
    const bills = new Bills(world);
    const denyCache = random.chance(0.7);

    async function request(member: Member): Promise<void> {
      const limiter = limiters.get(member)!;
      const user = random.pick(USERS);
      const cost = random.pick([1, 1, 2, 5]);
      const subject = { user, blocked: random.chance(0.15) };
      const patience = fleet.isCluster ? 60 : 0;
      const sent = await requests.send(member, { key: user, cost, patience }, () => limiter.consume(subject, { cost }));
      kept.get(user)!.add(sent);
      const { decision } = sent;
      if (decision?.allowed !== true || !random.chance(0.3)) return;
      world.after(random.magnitude(1, 500), () => {
        if (member.process.isDead) return;
        member.process.deliver(() => {
          void correct(limiter, user, decision, cost).catch((error: unknown) =>
            world.fail(`a correction rejects: ${String(error)}`),
          );
        });
      });
    }

    async function correct(limiter: Limiter<Subject>, user: string, decision: Decision, cost: number): Promise<void> {
      const target = random.pick([0, 0, 1, cost + 2]);
      const move = async () =>
        target === 0 ? -(await limiter.refund(decision, { month: cost })) : limiter.settle(decision, { month: target });
      await kept.get(user)!.correct(decision, cost, { target, move });
    }

    async function credit(member: Member): Promise<void> {
      const user = random.pick(USERS);
      const id = `invoice ${random.integer(1, 3)}`;
      const call = () => creditsOf(limiters.get(member)!).credit({ user }, CREDIT, { id, tier: 'credits' });
      await credited.get(user)!.credit(id, call);
    }

    return {
      open(member) {
        const { store } = member;
        const limiter = createLimiter<Subject>({
          store,
          denyCache,
          tiers,
          onNotice: (notice) => void told.push(notice),
        });
        limiters.set(member, limiter);
        const running = exportUsage(store, { sink: (rows) => bills.put(rows), every: '10s', grace: '1ms' });
        exports.set(member, running);
        return {
          async close() {
            await running.close();
            await limiter.close();
          },
        };
      },
      act(member) {
        if (random.chance(0.1)) void credit(member);
        else if (random.chance(0.15)) void exports.get(member)!.run();
        else void request(member);
      },
      onLoss: (server, left) => bills.lose(server, left),
      check() {
        for (const { key: user, cost, answeredAt } of requests.all) {
          if (answeredAt === Infinity) kept.get(user)!.addUnanswered(cost);
        }
        // A refund of a charge that Redis has lost lowers the usage, and not the month.
        const isLost = fleet.losses.length + fleet.delays.length > 0;
        for (const user of isLost ? [] : USERS) {
          const quota = readQuota(fleet, digestOf(identityText(user)));
          if (quota.used !== quota.usage) {
            world.fail(`${user}: the month has ${quota.used} units, and its usage ${quota.usage}`);
          }
          checkConservation(user, quota);
          checkNotices(user, quota.used);
        }
        if (fleet.delays.length === 0) bills.check(fleet);
      },
    };

    function checkConservation(user: string, { used, spent, left }: StoredQuota): void {
      const { least, most } = kept.get(user)!;
      const known = credited.get(user)!;
      const counted = used + spent;
      world.tell('LEDGER', `${user}: ${used} of the month, ${spent} of credits, ${left} left: ${least} to ${most}`);
      if (counted < least) world.fail(`${user}: Redis has counted ${counted}, although requests keep ${least}`);
      if (counted > most) world.fail(`${user}: Redis has counted ${counted}, and requests keep at most ${most}`);
      if (spent + left < known.least || spent + left > known.most) {
        world.fail(`${user}: ${spent + left} units were credited, and ${known.least} to ${known.most} should be`);
      }
      if (used > LIMIT) world.fail(`${user}: the month has counted ${used} of ${LIMIT}`);
    }

    function checkNotices(user: string, used: number): void {
      for (const mark of MARKS) {
        const ends = told.flatMap((notice) => (notice.label === user && notice.mark === mark ? notice.endsAt : []));
        const given = ends.length;
        // A window whose units all came back is over: the next request begins another one, with an end of its own.
        const most = new Set(ends).size;
        if (given > most) world.fail(`${user}: the mark ${mark} is given ${given} times in ${most} windows`);
        if (given === 0 && used >= mark * LIMIT && faults().length === 0) world.fail(`${user}: ${mark} is not given`);
      }
    }
  },
};
