import { fairBy } from '../../../packages/overload/src/fair/index.js';
import { createLimiter, type Decision, type Limiter } from '../../../packages/core/src/index.js';
import { permitUnits } from '../../../packages/core/src/algorithms/concurrency/permits.js';
import type { Receipt } from '../../../packages/core/src/model/receipt.js';
import { runningReceipts } from '../../../packages/core/src/stores/composed/compose.js';
import type { Member } from '../fleet.js';
import { DEADLINE_MS, isLocal, type SentRequest } from '../requests.js';
import { Kept } from './kept.js';
import type { Kind, Scene } from './kind.js';
import { PermitLaws } from './permit-laws.js';
import { keyspacesOf } from './stored-quota.js';

interface Subject {
  readonly user: string;
  readonly caller: string;
}

interface Running {
  readonly member: Member;
  readonly units: number;
  readonly since: number;
  /** Ends its work. */
  readonly end: () => void;
}

/** A check: when it was sent, and the milliseconds of all stalls before. */
interface Asked {
  readonly sentAt: number;
  readonly stalled: number;
}

/** Faults by which no permit is lost, and which no request notices. */
const HARMLESS = new Set(['Redis forgets its scripts', 'the clock of Redis jumps back']);
/** Beside permits: what Redis has counted at the end is what requests have kept. */
const RATE = { algorithm: 'fixed-window', limit: 500, window: '1h' } as const;
/** Milliseconds within which a server that answers hears what has ended. */
const TOLD_MS = 3_000;

export const permits: Kind = {
  name: 'permits',
  likely: ['read-only', 'now and then', 'jumps back', 'dies'],
  begin: (...each) => scene({ holds: [1_000, 3_000, 60_000], work: [5, 4_000] }, ...each),
};
/** The same with permits that are renewed, and lapse while a process stalls or Redis is away. */
export const lapses: Kind = {
  name: 'lapses',
  story: [1_500, 6_000],
  faults: [1, 2, 2, 3],
  likely: ['stalls', 'cut off', 'breaks', 'is gone', 'read-only', 'now and then', 'the network is slow'],
  quiet: 4_500,
  begin: (...each) => scene({ holds: [1_000, 5_000, 60_000], work: [300, 6_000] }, ...each),
};

interface Times {
  readonly holds: readonly number[];
  /** Milliseconds of the work of a permit: the least and the most. */
  readonly work: readonly [least: number, most: number];
}

function scene(times: Times, ...[fleet, requests, faults]: Parameters<Kind['begin']>): Scene {
  const { world } = fleet;
  const { random } = world;
  const limit = random.pick([2, 3, 5, 8]);
  const hold = random.pick(times.holds);
  const share = random.pick([1, 1 / fleet.size]);
  const wait = random.pick([0, 0, 500]);
  const hasRate = random.chance(0.3);
  const denyCache = random.chance(0.7);
  // Callers share the limit, and each request is of one of them.
  const isFair = random.chance(0.4);
  const limiters = new Map<Member, Limiter<Subject>>();
  const running = new Set<Running>();
  const prefixes = new Map<string, Member>();
  /** When the work of a permit has ended, by its names. */
  const ended = new Map<string, number>();
  let key: string | undefined;
  const own = Math.ceil(Number((limit * share).toPrecision(15)));
  const kept = new Kept(fleet, faults);
  const laws = new PermitLaws(requests, faults, { limit, hold, wait, own, isFair });
  world.tell(
    'KIND',
    `${limit} permits, hold ${hold} ms, share ${share.toFixed(2)}, wait ${wait} ms${isFair ? ', shared' : ''}`,
  );

  const setOf = () =>
    (key === undefined ? undefined : fleet.server.keyspace.get(key)) as Map<string, number> | undefined;
  const permitsOf = (member: Member) => runningReceipts(member.store).filter(({ name }) => name !== undefined);
  const namesOf = ({ name, units, of }: Receipt) => permitUnits(name!, units, of ?? units);

  /** A server that gives a permit knows what this process runs already, unless it has lost it without a sign. */
  function checkTold(member: Member, before: readonly Receipt[], { sentAt, stalled }: Asked): void {
    const isFresh = (at: number) => at >= sentAt - hold && at <= world.now;
    // A process that stalls behind its check cannot renew before Redis decides.
    if ([...fleet.silentLosses, ...fleet.delays].some(isFresh) || member.process.stalled !== stalled) return;
    const held = new Map(permitsOf(member).map((receipt) => [receipt.name, receipt]));
    for (const receipt of before) {
      if (held.get(receipt.name)?.units !== receipt.units) continue;
      const untold = namesOf(receipt).filter((name) => !setOf()?.has(name));
      if (untold.length === 0) continue;
      world.fail(`${member.process.name} gets a permit of a Redis that has not heard of its ${untold.join()}`);
    }
  }

  function checkCount(): void {
    let units = 0;
    for (const each of running) units += each.units;
    const hasFaults = !faults().every((name) => HARMLESS.has(name));
    const most = hasFaults ? limit * (2 + fleet.losses.length) + fleet.size * own : limit;
    if (units > most) world.fail(`${units} units run, and at most ${most} may`);
  }

  /** A process holds permits for what it runs, and for nothing else. */
  function checkHeld(member: Member): void {
    const count = (units: number, each: { readonly units: number }) => units + each.units;
    const held = permitsOf(member).reduce(count, 0);
    const runs = [...running].filter((each) => each.member === member).reduce(count, 0);
    if (held !== runs && !member.process.isDead)
      world.fail(`${member.process.name} holds ${held} units, and runs ${runs}`);
  }

  /** Once a request was charged by a clock that was set back, no permit counts for longer than `hold` by this clock. */
  function checkEnds(now: number): void {
    const since = Math.max(...fleet.delays);
    const isCharged = requests.all.some(
      ({ sentAt, decision }) => sentAt > since && decision?.allowed === true && decision.source === 'redis',
    );
    if (!isCharged) return;
    for (const [name, until] of setOf() ?? []) {
      if (until > now + hold)
        world.fail(`${name} counts for ${until - now} ms more, and a permit counts for ${hold} ms`);
    }
  }

  /** A request that gets no permit keeps no unit of its rate. */
  function checkRate(): void {
    for (const sent of requests.all) if (sent.answeredAt === Infinity) kept.addUnanswered(sent);
    const keyspaces = keyspacesOf(fleet);
    const stored = keyspaces.flatMap((each) =>
      each.keys().flatMap((name) => (name.includes(':rate:') ? [each.get(name)] : [])),
    );
    const used = Number(stored[0] ?? 0) % 2 ** 32;
    world.tell('LEDGER', `Redis has counted ${used}: ${kept.least} to ${kept.most}`);
    if (used >= kept.least && used <= kept.most) return;
    world.fail(`Redis has counted ${used} of the rate, and requests keep ${kept.least} to ${kept.most}`);
  }

  /** Works for a request that was admitted. */
  function work(sent: SentRequest, decision: Decision): void {
    const { member, cost: units } = sent;
    const end = async () => {
      if (!running.delete(started)) return;
      world.tell(member.process.name, `ends the work of ${decision.source} x${units}`);
      const before = permitsOf(member).flatMap(namesOf);
      const releasing = limiters.get(member)!.release(decision);
      const held = new Set(permitsOf(member).flatMap(namesOf));
      for (const name of before) if (!held.has(name)) ended.set(name, world.now);
      laws.end(sent);
      await releasing;
      laws.hearEnd(sent);
    };
    const started: Running = {
      member,
      units,
      since: world.now,
      end() {
        if (member.process.isDead) running.delete(started);
        const onError = (error: unknown) => world.fail(`release rejects: ${String(error)}`);
        member.process.deliver(() => void end().catch(onError));
      },
    };
    running.add(started);
    checkCount();
    world.after(random.magnitude(...times.work), started.end);
  }

  return {
    open(member) {
      const limiter = createLimiter<Subject>({
        store: member.store,
        share,
        denyCache,
        tiers: [
          {
            name: 'running',
            key: ({ user }) => user,
            algorithm: 'concurrency',
            limit,
            hold,
            wait,
            ...(isFair && { fair: fairBy(({ caller }: Subject) => caller) }),
          },
          ...(hasRate ? [{ name: 'rate', key: ({ user }: Subject) => user, ...RATE } as const] : []),
        ],
      });
      limiters.set(member, limiter);
      return limiter;
    },
    act(member) {
      const before = permitsOf(member);
      const { stalled } = member.process;
      const cost = hasRate ? 1 : random.pick([1, 1, 1, 2]);
      const caller = isFair ? random.pick(['a', 'a', 'b', 'c']) : 'a';
      const options = { key: 'ada', cost, patience: wait + (wait > 0 ? 120 : 0) };
      const decide = () => limiters.get(member)!.consume({ user: 'ada', caller }, { cost });
      void requests.send(member, options, decide).then((sent) => {
        const { decision, sentAt } = sent;
        // One that waits asks again when the deadline of a lost reply is over.
        kept.add(sent, wait > 0 ? 1 + Math.floor((sent.answeredAt - sentAt) / DEADLINE_MS) : 1);
        if (isLocal(sent)) laws.checkShare(sent);
        for (const { name, key: each } of permitsOf(member)) {
          key = each;
          prefixes.set(name!.slice(0, 8), member);
        }
        if (decision?.allowed !== true) return;
        if (decision.source === 'redis') checkTold(member, before, { sentAt, stalled });
        work(sent, decision);
      });
    },
    /** Much of what can go wrong goes wrong when work ends while Redis is away. */
    onFault(milliseconds) {
      for (const each of running) if (random.chance(0.5)) world.after(random.fraction() * milliseconds, each.end);
    },
    settle() {
      for (const member of fleet.members) checkHeld(member);
      if (fleet.members.some(({ client }) => client.status !== 'ready')) return;
      const has = (part: string) => faults().some((name) => name.includes(part));
      // A replica may have permits whose end it has not heard.
      if (has('replica')) return;
      const now = fleet.server.time() / 1e3;
      checkEnds(now);
      const held = new Set(fleet.members.flatMap((member) => permitsOf(member).flatMap(namesOf)));
      for (const [name, until] of setOf() ?? []) {
        const owner = prefixes.get(name.slice(0, 8));
        if (until <= now || held.has(name) || owner === undefined || owner.process.isDead) continue;
        // Of a request that got no answer, it has ended before.
        if (world.now - (ended.get(name) ?? 0) < TOLD_MS) continue;
        world.fail(`Redis holds ${name} of ${owner.process.name}, which runs no longer`);
      }
    },
    check() {
      laws.check();
      if (hasRate && fleet.losses.length + fleet.delays.length === 0) checkRate();
    },
  };
}
