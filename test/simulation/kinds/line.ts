import { createLimiter, type Decision, type Limiter } from '../../../packages/core/src/index.js';
import { line } from '../../../packages/overload/src/line/index.js';
import type { Member } from '../fleet.js';
import { isStored, type SentRequest } from '../requests.js';
import type { Kind } from './kind.js';
import { checkSpans } from './spans.js';
import { keyspacesOf } from './stored-quota.js';

interface Subject {
  readonly worker: string;
}

/** A worker, which comes back until it is served. */
interface Worker {
  readonly name: string;
  readonly isObedient: boolean;
  readonly tries: SentRequest[];
  place: string | true | undefined;
}

const W = 1_000;
const LIMIT = 6;
/** Clocks of two machines. */
const DRIFT = 1.001;
const ROUNDING_MS = 1;
/** A place is worth something for so long after its moment. */
const KEEP_MS = 150;
const LATE_MS = 1_000;
/** How often a worker comes, at most. */
const TRIES = 12;

interface Rate {
  readonly algorithm: 'token-bucket' | 'sliding-window' | 'sliding-window-log' | 'fixed-window';
  /** Units that a span of so many milliseconds may hold, of one limit. */
  readonly most: (milliseconds: number, limit: number) => number;
}

const inAny = (milliseconds: number, limit: number) => (Math.floor(milliseconds / W) + 1) * limit;
const RATES: readonly Rate[] = [
  { algorithm: 'token-bucket', most: (milliseconds, limit) => limit + (milliseconds * limit) / W },
  { algorithm: 'sliding-window', most: inAny },
  { algorithm: 'sliding-window-log', most: inAny },
  { algorithm: 'fixed-window', most: (milliseconds, limit) => (Math.floor(milliseconds / W) + 2) * limit },
];

/** Workers of one key, whose denied requests stand in line: those that obey, and those that come when they like. */
export const lines: Kind = {
  name: 'lines',
  servers: [1, 1, 3],
  begin(fleet, requests, faults) {
    const { world } = fleet;
    const { random } = world;
    const rate = random.pick([RATES[0]!, ...RATES]);
    // The tenth of a window that tells its units is too short for places.
    const form = rate.algorithm === 'fixed-window' ? 'spread' : random.pick(['spread', 'place', 'by', 'by'] as const);
    const longest = random.pick([1_000, 3_000, 60_000]);
    const impatience = random.pick([0, 0, 0.3]);
    const cutAt = random.chance(0.25) ? random.integer(100, 1_500) : Infinity;
    const limitNow = () => (world.now < cutAt ? LIMIT : LIMIT - 2);
    const limiters = new Map<Member, Limiter<Subject>>();
    const workers: Worker[] = [];
    let isOver = false;
    world.tell('KIND', `${rate.algorithm}, ${form}, longest ${longest} ms, cut at ${cutAt}`);

    function open(member: Member): Limiter<Subject> {
      const keeps = form === 'spread' ? {} : { keep: KEEP_MS };
      const by = form === 'by' ? { by: ({ worker }: Subject) => worker } : {};
      const limiter = createLimiter<Subject>({
        store: member.store,
        secret: 'pepper',
        tiers: [
          {
            name: 'shared',
            key: () => 'acme',
            algorithm: rate.algorithm,
            limit: cutAt === Infinity ? LIMIT : limitNow,
            window: W,
            line: line<Subject>({ longest, ...keeps, ...by }),
          },
        ],
      });
      limiters.set(member, limiter);
      return limiter;
    }

    /** Comes once, and again when it is told to, or when it likes. */
    async function come(worker: Worker, member: Member): Promise<void> {
      const { name, place } = worker;
      const decide = () => limiters.get(member)!.consume({ worker: name }, form === 'place' ? { place } : {});
      const sent = await requests.send(member, { key: name }, decide);
      worker.tries.push(sent);
      const { decision } = sent;
      if (decision?.reason !== 'denied' || decision.degraded || worker.tries.length >= TRIES) return;
      checkTold(sent, decision);
      worker.place = worker.isObedient ? (decision.place ?? true) : undefined;
      const wait = worker.isObedient ? decision.retryAfter * DRIFT + ROUNDING_MS : random.integer(20, 400);
      world.after(wait, () => {
        const alive = fleet.members.filter(({ process }) => !process.isDead);
        if (alive.length === 0 || isOver) return;
        const next = random.pick(alive);
        next.process.deliver(() => void come(worker, next));
      });
    }

    /** A wait is that of the state, or within the bound. */
    function checkTold({ answeredAt, key }: SentRequest, { outcomes }: Decision): void {
      const { retryAfter, fitsAfter } = outcomes[0]!;
      if (fitsAfter === undefined) return;
      const most = Math.max(fitsAfter, longest) + ROUNDING_MS;
      if (retryAfter < fitsAfter || retryAfter > most)
        world.fail(`${key} at ${answeredAt.toFixed(2)}: is told ${retryAfter} ms, and would fit after ${fitsAfter} ms`);
    }

    return {
      open,
      act(member) {
        const isObedient = !random.chance(impatience);
        const worker: Worker = { name: `w${workers.length}`, isObedient, tries: [], place: isObedient || undefined };
        workers.push(worker);
        void come(worker, member);
      },
      settle() {
        isOver = true;
        checkKeys();
      },
      check() {
        checkRate();
        const late = workers.flatMap(lateAdmissions);
        for (const worker of workers) checkPlaces(worker, late);
      },
    };

    /** A line admits no more than the limit. */
    function checkRate(): void {
      const jumps = (from: number, to: number) =>
        [...fleet.losses, ...fleet.delays].filter((at) => at >= from && at <= to).length;
      checkSpans(
        requests.all.filter(isStored),
        (from, to) => rate.most((to - from) * DRIFT, LIMIT) + jumps(from, to) * LIMIT,
        (problem) => world.fail(`Redis ${problem}`),
      );
    }

    /** When a worker was admitted behind the time for which others leave its unit: it may have taken that of another one. */
    function lateAdmissions({ tries }: Worker): readonly number[] {
      return tries.flatMap((again, number) => {
        const first = tries[number - 1];
        if (first === undefined || again.decision?.allowed !== true) return [];
        const isLate = again.answeredAt > first.sentAt + first.decision!.retryAfter / DRIFT + KEEP_MS - ROUNDING_MS;
        return isLate ? [again.answeredAt] : [];
      });
    }

    /** A place of a bucket that is kept is worth a unit to whoever comes in time. @param late when others came too late, and got one */
    function checkPlaces({ name, isObedient, tries }: Worker, late: readonly number[]): void {
      if (rate.algorithm !== 'token-bucket' || form === 'spread' || !isObedient || cutAt < Infinity) return;
      // A line that has begun again tells moments twice, and so does one whose keys are lost or could not be written.
      if (longest < 60_000 || fleet.losses.length + fleet.delays.length > 0) return;
      if (faults().some((fault) => /full|read-only/.test(fault))) return;
      for (const [number, first] of tries.entries()) {
        const again = tries[number + 1];
        if (again?.decision?.reason !== 'denied' || again.decision.degraded) continue;
        const { retryAfter } = first.decision!;
        const isDue = again.sentAt >= first.answeredAt + retryAfter;
        const dueAt = first.sentAt + retryAfter / DRIFT;
        if (late.some((at) => at >= dueAt - KEEP_MS - LATE_MS && at <= again.answeredAt)) continue;
        const isInTime = again.answeredAt <= dueAt + KEEP_MS + LATE_MS - ROUNDING_MS;
        if (isDue && isInTime)
          world.fail(`${name} is denied at ${again.answeredAt.toFixed(2)}, although its place was kept`);
      }
    }

    /** What a line leaves in Redis ends with it. */
    function checkKeys(): void {
      for (const keyspace of keyspacesOf(fleet)) {
        for (const key of keyspace.keys().filter((each) => each.includes(':line'))) {
          const ends = keyspace.expiresAt(key) ?? 0;
          const most = Math.max(longest, 2 * W) + W + KEEP_MS + LATE_MS;
          if (ends === Infinity) world.fail(`${key} has no end`);
          else if (fleet.delays.length === 0 && ends > keyspace.now + most) world.fail(`${key} stays for too long`);
        }
      }
    }
  },
};
