import {
  CoolDown,
  createLimiter,
  run,
  type Duration,
  type Limiter,
  type Ran,
  type Tier,
} from '../../../packages/core/src/index.js';
import type { Member } from '../fleet.js';
import { CONNECT_DEADLINE_MS, DEADLINE_MS, LAG_MS } from '../requests.js';
import type { Kind } from './kind.js';
import { checkSpans } from './spans.js';
import { keyspacesOf } from './stored-quota.js';

interface Subject {
  readonly api: string;
}

/** One call of `run`. */
interface Call {
  readonly member: Member;
  readonly cost: number;
  /** Milliseconds that it may wait. */
  readonly wait: number;
  readonly calledAt: number;
  readonly stalledBefore: number;
  /** When its work has begun: again after a pause of the upstream. */
  readonly begins: number[];
  /** Infinity: not yet. */
  settledAt: number;
  ran: Ran<unknown> | undefined;
}

const W = 1_000;
const LIMIT = 6;
/** Clocks of two machines. */
const DRIFT = 1.001;
/** From the charge of a call to its work: two calls of the store, because it may be admitted behind another one. */
const BEGIN_MS = 2 * DEADLINE_MS + LAG_MS;
interface Rate {
  readonly algorithm?: 'token-bucket' | 'sliding-window-log' | 'fixed-window';
  readonly limit: number;
  readonly window: Duration;
}

const RATES: readonly Rate[] = [
  { algorithm: 'token-bucket', limit: LIMIT, window: W },
  { algorithm: 'sliding-window-log', limit: LIMIT, window: W },
  { limit: LIMIT, window: W },
  // Of a window that is longer than a run, Redis has counted what has begun.
  { algorithm: 'fixed-window', limit: 5 * LIMIT, window: '1h' },
];

/** Calls of `run`, which wait in line for a rate, for permits, and for a pause of the upstream to end. */
export const runs: Kind = {
  name: 'runs',
  begin(fleet, _requests, faults) {
    const { world } = fleet;
    const { random } = world;
    const rate = random.pick(RATES);
    const permits = random.pick([undefined, undefined, 2]);
    const mayPause = random.chance(0.3);
    const limiters = new Map<Member, Limiter<Subject>>();
    const calls: Call[] = [];
    let running = 0;
    world.tell('KIND', `${JSON.stringify(rate)}, ${permits ?? 'no'} permits${mayPause ? ', pauses' : ''}`);

    async function work(call: Call): Promise<number> {
      call.begins.push(world.now);
      running += call.cost;
      if (permits !== undefined && faults().length === 0 && running > permits) {
        world.fail(`${running} units run, and ${permits} permits exist`);
      }
      checkBegin(call);
      await new Promise<void>((resolve) => setTimeout(resolve, random.magnitude(5, 200)));
      running -= call.cost;
      if (mayPause && random.chance(0.15)) throw new CoolDown(random.integer(50, 800));
      return call.begins.length;
    }

    async function begin(member: Member): Promise<void> {
      const cost = random.pick([1, 1, 1, 2]);
      const wait = random.pick([0, 200, 1_000, 3_000]);
      const { stalled: stalledBefore } = member.process;
      const call: Call = {
        member,
        cost,
        wait,
        calledAt: world.now,
        stalledBefore,
        begins: [],
        settledAt: Infinity,
        ran: undefined,
      };
      calls.push(call);
      try {
        call.ran = await run(limiters.get(member)!, { api: 'maps' }, () => work(call), { cost, wait });
      } catch (error) {
        if (!(error instanceof CoolDown)) world.fail(`run rejects: ${String(error)}`);
      }
      call.settledAt = world.now;
      if (call.ran?.admitted === false) checkWait(call, 'is denied');
      const what = call.ran === undefined ? 'is to pause' : call.ran.admitted ? 'has run' : call.ran.decision.reason;
      world.tell(member.process.name, `call of ${call.calledAt.toFixed(2)} ${what}`);
    }

    /** Work begins, or is denied, within its time, and the deadlines of the calls that decide. */
    function checkWait({ member, wait, calledAt, stalledBefore }: Call, what: string): void {
      const waited = world.now - calledAt - (member.process.stalled - stalledBefore);
      const connecting = member.readyAt > calledAt ? CONNECT_DEADLINE_MS : 0;
      const most = wait * DRIFT + connecting + 2 * DEADLINE_MS + LAG_MS;
      if (waited > most) world.fail(`a call ${what} after ${waited.toFixed(1)} ms, and waits ${wait} ms at most`);
    }

    /** Work that may wait begins in the order of its arrival in this process. */
    function checkBegin(call: Call): void {
      if (call.begins.length > 1) return;
      checkWait(call, 'begins');
      if (call.wait === 0) return;
      for (const other of calls) {
        if (other.member !== call.member || other.wait === 0 || other.calledAt <= call.calledAt) continue;
        if (other.begins.length > 0) world.fail(`the call of ${other.calledAt.toFixed(2)} overtakes an earlier one`);
      }
    }

    return {
      open(member) {
        const limiter = createLimiter<Subject>({
          store: member.store,
          tiers: [
            { name: 'rate', key: ({ api }) => api, ...rate } as Tier<Subject>,
            ...(permits === undefined
              ? []
              : [
                  {
                    name: 'running',
                    key: ({ api }: Subject) => api,
                    algorithm: 'concurrency',
                    limit: permits,
                  } as const,
                ]),
            ...(mayPause ? [{ name: 'pause', key: ({ api }: Subject) => api, algorithm: 'pause' } as const] : []),
          ],
        });
        limiters.set(member, limiter);
        return limiter;
      },
      act(member) {
        for (let left = random.pick([1, 1, 1, 4]); left > 0; left -= 1) void begin(member);
      },
      settle() {
        if (faults().length === 0) checkStored();
      },
      check() {
        for (const { member, settledAt, calledAt } of calls) {
          if (settledAt < Infinity || member.process.isDead) continue;
          world.fail(`the call of ${calledAt.toFixed(2)} in ${member.process.name} has no end`);
        }
        checkRate();
        if (permits === undefined && !mayPause && faults().length === 0 && rate.window === W)
          for (const each of calls) checkDenial(each);
      },
    };

    /** Work that has ended holds no permit, and what has not begun has charged nothing. */
    function checkStored(): void {
      for (const keyspace of keyspacesOf(fleet)) {
        for (const key of keyspace.keys()) {
          const value = keyspace.get(key);
          const held = value instanceof Map ? [...value.values()].filter((until) => Number(until) > keyspace.now) : [];
          if (key.includes(':running:') && held.length > 0) world.fail(`${held.length} permits stay in Redis`);
          if (!key.includes(':rate:') || rate.window !== '1h' || mayPause) continue;
          const began = unitsOf(calls.filter(({ begins }) => begins.length > 0));
          const used = Number(value) % 2 ** 32;
          if (used !== began) world.fail(`Redis has counted ${used}, and ${began} units have begun`);
        }
      }
    }

    /** What Redis has admitted fits its rate. The charge of a call is not far before its work. */
    function checkRate(): void {
      if (rate.window === '1h') return;
      // A stalled process begins work long after its charge.
      if (faults().some((name) => name.includes('stalls'))) return;
      const admitted = calls.flatMap(({ ran, begins, cost }) =>
        ran?.admitted === true && ran.decision.source === 'redis'
          ? [{ sentAt: begins.at(-1)! - BEGIN_MS, answeredAt: begins.at(-1)!, cost }]
          : [],
      );
      const jumps = fleet.losses.length + fleet.delays.length;
      const isBucket = rate.algorithm === 'token-bucket';
      const mostIn = (milliseconds: number) =>
        isBucket ? LIMIT + (milliseconds * LIMIT) / W : (Math.floor(milliseconds / W) + 1) * LIMIT;
      checkSpans(
        admitted,
        (from, to) => mostIn((to - from) * DRIFT) + jumps * LIMIT,
        (problem) => world.fail(`Redis ${problem}`),
      );
    }

    /** A call is denied only if other calls have used the rate. */
    function checkDenial({ ran, cost, calledAt, settledAt }: Call): void {
      if (ran?.admitted !== false) return;
      const from = calledAt - W * DRIFT - BEGIN_MS;
      const used = unitsOf(calls.filter((each) => each.calledAt <= settledAt && each.settledAt >= from)) - cost;
      if (used + cost <= LIMIT)
        world.fail(`the call of ${calledAt.toFixed(2)} is denied, although ${used} others were sent`);
    }
  },
};

function unitsOf(calls: readonly Call[]): number {
  return calls.reduce((sum, { cost }) => sum + cost, 0);
}
