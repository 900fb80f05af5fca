import { createLimiter, type Limiter, type Tier } from '../../../packages/core/src/index.js';
import { compose } from '../../../packages/core/src/stores/composed/compose.js';
import { layersOf } from '../../../packages/core/src/stores/between-processes/shared-layers.js';
import { HotKeys } from '../../../packages/core/src/stores/with-lease/hot-keys.js';
import {
  balance,
  creditsOf,
  endGrants,
  exportUsage,
  type LowBalance,
  notices,
  usage,
  type GrantEnds,
  type UsageExport,
} from '../../../packages/quotas/src/index.js';
import { digestOf, identityText } from '../../../packages/core/src/limiter/keys/store-keys.js';
import type { Member } from '../fleet.js';
import { START } from '../world/globals.js';
import { Bills } from './bills.js';
import type { Charged } from './kept.js';
import type { Kind, Scene } from './kind.js';
import { QuotaLaws } from './quota-laws.js';

interface Subject {
  readonly user: string;
  readonly blocked: boolean;
}

const USERS = ['ada', 'bob'];
const LIMIT = 20;
const MARKS = [0.5, 1];
/** Units of one credit. */
const CREDIT = 15;
const HOUR_MS = 3_600_000;
/** Of the hour in which a run begins; an hour, a month and a year end in it. */
const FIRST_HOUR = Math.floor(START / HOUR_MS);
/** A run has up to two faults, each of which may set the clock of Redis back by an hour. */
const MOST_HOURS_BACK = 2;
const MONTH_ENDS_MS = (FIRST_HOUR + 1) * HOUR_MS - START;
/** Of clocks. */
const SLACK_MS = 20;
/** Milliseconds from a request to its correction, at most. */
const LATE_MS = 3_000;
/** Milliseconds in which a process that has died keeps the lock of the export, and then some exports. */
const QUIET_MS = 60_000 + 3 * 10_000;
/** Milliseconds from a credit to its end, in the kind whose credits end. */
const ENDS_MS = [40, 300, 900, 2_500];
/** Units at which a balance is low. */
const LOW = 5;
const SHAPES = [{ window: '1h' }, { period: 'month' }] as const;

// On a Cluster a balance and the tiers that it covers have one key function.
const key = ({ user }: Subject) => user;

interface TierParts {
  readonly isLeased: boolean;
  readonly onLow: ((digest: string) => void) | undefined;
  /** Units of all requests that another tier denies in the end. */
  readonly blocked: number;
}

function tiersOf(shape: (typeof SHAPES)[number], { isLeased, onLow, blocked }: TierParts): readonly Tier<Subject>[] {
  const low = onLow && { lowBalance: [LOW], onLowBalance: ({ digest }: LowBalance) => onLow(digest) };
  const month: Tier<Subject> = {
    name: 'month',
    key,
    label: key,
    algorithm: 'fixed-window',
    limit: LIMIT,
    ...shape,
    notices: notices(...MARKS),
    usage: usage(),
  };
  return [
    month,
    { name: 'credits', key, algorithm: balance({ covers: ['month'], ...low }), usage: usage() },
    {
      name: 'other',
      key: (subject) => (subject.blocked ? 'all' : 'none'),
      limit: (subject) => (subject.blocked ? blocked : null),
      window: '1h',
    },
    // Units that a process charges ahead, beside units that are billed.
    ...(isLeased
      ? [{ name: 'leased', key, limit: 500, window: '1h', lease: { units: 5, duration: 500 } } as const]
      : []),
  ];
}

/** Units that customers pay for: a quota with notices, credits that cover it, and an export of the usage of both. */
export const quotas: Kind = kindOf('quotas', {});
/** The same with credits that end, each a while after it came, and low balances. */
export const grants: Kind = kindOf('grants', { hasEnds: true });
/** The same beside other parts: months of the calendar, leases, partitions, and an operator who reconciles with a ledger. */
export const subscriptions: Kind = kindOf('subscriptions', { isMixed: true });
/** Subscriptions whose units are corrected while all processes export their hour, beside one fault or two. */
export const exported: Kind = { ...kindOf('exports', { isMixed: true, isExported: true }), faults: [1, 1, 2] };

interface Parts {
  readonly isMixed?: boolean;
  readonly isExported?: boolean;
  readonly hasEnds?: boolean;
}

function kindOf(name: string, parts: Parts): Kind {
  return { name, servers: [1, 1, 3], quiet: QUIET_MS, begin: (...each) => scene(parts, ...each) };
}

function scene(
  { isMixed = false, isExported = false, hasEnds = false }: Parts,
  ...[fleet, requests, faults]: Parameters<Kind['begin']>
): Scene {
  const { world } = fleet;
  const { random } = world;
  const limiters = new Map<Member, Limiter<Subject>>();
  const exports = new Map<Member, UsageExport>();
  const ends = new Map<Member, GrantEnds>();
  const shape = isMixed ? random.pick(SHAPES) : SHAPES[0];
  const since = 'period' in shape ? FIRST_HOUR + 1 : 0;
  const terms = { limit: LIMIT, marks: MARKS, credit: CREDIT, low: hasEnds ? LOW : undefined, since };
  const laws = new Map(USERS.map((user) => [user, new QuotaLaws(fleet, faults, user, terms)]));
  const denyCache = random.chance(0.7);
  // Units that are corrected while all processes export their hour.
  const isCorrected = isExported || (isMixed && random.chance(0.3));
  const isLeased = isMixed && random.chance(0.2);
  const isPartitioned = isMixed && random.chance(0.3);
  const bills = new Bills(world, isPartitioned);
  const users = new Map(USERS.map((user) => [digestOf(identityText(user)), user]));
  const onLow = hasEnds ? (digest: string) => laws.get(users.get(digest)!)!.tellLow() : undefined;
  const tiers = tiersOf(shape, { isLeased, onLow, blocked: random.pick([1, 1, 40]) });
  // All units of the requests before come back.
  const returnedUntil = !isLeased && random.chance(0.2) ? random.integer(200, 1_500) : 0;
  world.tell('KIND', `${JSON.stringify(shape)}${isLeased ? ', a lease' : ''}${isPartitioned ? ', partitions' : ''}`);

  async function request(member: Member): Promise<void> {
    const limiter = limiters.get(member)!;
    const user = random.pick(USERS);
    const cost = random.pick([1, 1, 2, 5]);
    const subject = { user, blocked: random.chance(0.15) };
    const patience = fleet.isCluster || isLeased ? 60 : 0;
    const own = laws.get(user)!;
    const begun = own.begin();
    const before = hasEnds ? own.readAlone(begun) : undefined;
    const sent = await requests.send(member, { key: user, cost, patience }, () => limiter.consume(subject, { cost }));
    own.end(begun);
    own.kept.add(sent);
    own.checkDenial(sent, begun);
    own.checkSpent(before, begun);
    if (subject.blocked) own.checkMarks(sent, begun);
    const { decision } = sent;
    const isReturned = sent.sentAt < returnedUntil;
    if (decision?.allowed !== true || !(isReturned || random.chance(isCorrected ? 0.8 : 0.3))) return;
    world.after(isCorrected ? random.fraction() * LATE_MS : random.magnitude(1, isMixed ? 2_000 : 500), () => {
      if (member.process.isDead) return;
      member.process.deliver(() => {
        void correct(limiter, user, { decision, cost, sentAt: sent.sentAt }).catch((error: unknown) =>
          world.fail(`a correction rejects: ${String(error)}`),
        );
      });
    });
  }

  async function correct(limiter: Limiter<Subject>, user: string, sent: Charged): Promise<void> {
    const { decision, cost, sentAt } = sent;
    // Its month may be over.
    const isOver = 'period' in shape && sentAt < MONTH_ENDS_MS + SLACK_MS && world.now > MONTH_ENDS_MS - SLACK_MS;
    const target =
      sentAt < returnedUntil ? 0 : random.pick(isCorrected ? [0, cost + 1, cost + 1, cost + 2] : [0, 0, 1, cost + 2]);
    const move = async () =>
      target === 0 ? -(await limiter.refund(decision, { month: cost })) : limiter.settle(decision, { month: target });
    const own = laws.get(user)!;
    const begun = own.begin();
    await own.kept.correct(sent, { target, move, isOver });
    own.end(begun);
  }

  function credit(member: Member): void {
    const user = random.pick(USERS);
    const own = laws.get(user)!;
    const { credited } = own;
    const credits = creditsOf(limiters.get(member)!);
    const id = `invoice ${random.integer(1, 3)}`;
    const begun = own.begin();
    if (!isMixed || random.chance(0.7)) {
      const end = hasEnds ? random.pick(ENDS_MS) : undefined;
      void credited
        .credit(id, () => {
          const expiresAt = end === undefined ? undefined : Date.now() + end;
          return credits.credit({ user }, CREDIT, { id, tier: 'credits', expiresAt });
        })
        .then(() => own.end(begun));
      return;
    }
    // A clock that was set back twice by an hour counts in the hour before the last one.
    const asOf = (FIRST_HOUR - MOST_HOURS_BACK) * HOUR_MS;
    void credited
      .reconcile((units) => credits.reconcile({ user }, units, { asOf, tier: 'credits' }))
      .then(() => own.end(begun));
  }

  function exportBy(members: readonly Member[]): void {
    for (const member of members) member.process.deliver(() => void exports.get(member)!.run());
  }

  return {
    open(member) {
      const { store } = member;
      if (isLeased) compose(store, (each) => layersOf(each, new HotKeys(2, 1)));
      const limiter = createLimiter<Subject>({
        store,
        denyCache,
        tiers,
        ...(isPartitioned && { partition: ({ user }) => `team of ${user}` }),
        onNotice: (notice) => laws.get(notice.label!)!.tell(notice),
      });
      limiters.set(member, limiter);
      const running = exportUsage(store, { sink: (rows) => bills.put(rows), every: '10s', grace: '1ms' });
      exports.set(member, running);
      const ending = hasEnds ? endGrants(store, { every: '10s' }) : undefined;
      if (ending !== undefined) ends.set(member, ending);
      return {
        async close() {
          await Promise.all([running.close(), ending?.close()]);
          await limiter.close();
        },
      };
    },
    act(member) {
      if (random.chance(isMixed ? 0.15 : 0.1)) credit(member);
      else if (hasEnds && random.chance(0.15)) member.process.deliver(() => void ends.get(member)!.run());
      else if (random.chance(isCorrected ? 0.4 : 0.15)) exportBy(isCorrected ? fleet.members : [member]);
      else void request(member);
    },
    onLoss(server, left) {
      bills.lose(server, left);
      for (const each of laws.values()) each.lose(server, left);
    },
    check() {
      for (const sent of requests.all) {
        if (sent.answeredAt === Infinity) laws.get(sent.key)!.kept.addUnanswered(sent);
      }
      for (const each of laws.values()) each.check();
      if (fleet.delays.length === 0) bills.check(fleet);
    },
  };
}
