import { createLimiter, type Limiter, type Tier } from '../../../packages/core/src/index.js';
import type { SentRequest } from '../requests.js';
import { isLocal, isStored } from '../requests.js';
import { Answers, type Expiry } from './answers.js';
import { ChangingOverride } from './changing-override.js';
import type { Kind, Scene } from './kind.js';
import { checkSpans } from './spans.js';
import { verdictOf } from './verdict.js';

interface Subject {
  readonly user: string;
  readonly limit: number;
}

/** A rate, and what it admits at most. */
interface Rate {
  readonly options: Partial<Tier<Subject>>;
  /** The limits that take turns. */
  readonly limits: readonly number[];
  readonly costs: readonly number[];
  /** Units that a span of so many milliseconds may hold, at a limit. */
  readonly most: (milliseconds: number, limit: number) => number;
  readonly counts: Expiry;
}

const W = 1_000;
const inAny = (milliseconds: number, limit: number) => (Math.floor(milliseconds / W) + 1) * limit;
/** Of windows that touch two. */
const inTwo = (milliseconds: number, limit: number) => (Math.floor(milliseconds / W) + 2) * limit;
/** Of a period that ends once in a run. */
const inBoth = (_milliseconds: number, limit: number) => 2 * limit;
const refilled = (milliseconds: number, limit: number) => limit + (milliseconds * limit) / W;

const WHOLE: Expiry = { certain: W, longest: W };
const STRICT: Expiry = { certain: W, longest: 1.1 * W };
const PARTLY: Expiry = { certain: undefined, longest: W };
const MONTH: Expiry = { certain: undefined, longest: 31 * 86_400_000 };
const LONG: Expiry = { certain: undefined, longest: 2 * W };

function rate(
  options: Partial<Tier<Subject>>,
  limits: readonly number[],
  rest: Omit<Rate, 'options' | 'limits'>,
): Rate {
  const limit = limits.length === 1 ? limits[0]! : ({ limit: each }: Subject) => each;
  const window = 'period' in options ? {} : { window: W };
  return { options: { ...options, ...window, limit } as Partial<Tier<Subject>>, limits, ...rest };
}

const RATES: readonly Rate[] = [
  rate({ algorithm: 'fixed-window' }, [7], { costs: [1, 1, 2], most: inTwo, counts: PARTLY }),
  rate({}, [7], { costs: [1], most: inAny, counts: WHOLE }),
  rate({}, [12], { costs: [1, 2, 5], most: inAny, counts: WHOLE }),
  rate({ algorithm: 'sliding-window-log' }, [7], { costs: [1, 1, 3], most: inAny, counts: WHOLE }),
  rate({}, [70], { costs: [1, 9], most: inTwo, counts: LONG }),
  rate({ strict: true }, [70], { costs: [1, 9], most: inAny, counts: STRICT }),
  rate({ algorithm: 'token-bucket' }, [8], { costs: [1, 1, 2], most: refilled, counts: PARTLY }),
  rate({ algorithm: 'token-bucket' }, [7], { costs: [1], most: refilled, counts: PARTLY }),
  rate({}, [100, 60], { costs: [6, 9], most: inTwo, counts: LONG }),
  rate({ strict: true }, [100, 60], { costs: [6, 9], most: inAny, counts: STRICT }),
  rate({ algorithm: 'fixed-window', period: 'month' }, [7], { costs: [1, 1, 2], most: inBoth, counts: MONTH }),
  rate({ algorithm: 'sliding-window-log' }, [9, 4], { costs: [1], most: inAny, counts: WHOLE }),
];

/** Clocks of two machines. */
const DRIFT = 1.001;
/** Milliseconds for which a command of a request that has failed may still arrive. */
const LATE_MS = 10_000;

/** A breaker opens after so many failures in a row, or when half of so many calls have failed. */
const FAILURES_IN_A_ROW = 5;
const MIN_CALLS = 20;

/** Of a call more. */
const PATIENCE_MS = 60;

export const windows: Kind = {
  name: 'windows',
  servers: [1, 1, 3],
  likely: ['network is slow'],
  begin: (...each) => scene(...each),
};
/** Another limit for one client, which is changed, and ends by the wall clock of the process. */
export const overrides: Kind = {
  name: 'overrides',
  servers: [1, 1, 3],
  begin: (...each) => scene(...each, 'overrides'),
};
/** A rate that denies nothing, and marks what it would deny. */
export const demotions: Kind = {
  name: 'demotions',
  servers: [1, 1, 3],
  begin: (...each) => scene(...each, 'demotes'),
};

function scene(
  fleet: Parameters<Kind['begin']>[0],
  requests: Parameters<Kind['begin']>[1],
  _faults: Parameters<Kind['begin']>[2],
  variant?: 'overrides' | 'demotes',
): Scene {
  const { world } = fleet;
  const { random } = world;
  const hasOverride = variant === 'overrides';
  const demotes = variant === 'demotes';
  const chosen = random.pick(hasOverride ? RATES.filter(({ options }) => options.algorithm !== 'token-bucket') : RATES);
  const share = random.pick([1, 1 / fleet.size]);
  const onStoreFailure = random.pick(['local', 'local', 'deny', 'allow'] as const);
  const denyCache = random.chance(0.7);
  const limiters = new Map<object, Limiter<Subject>>();
  /** Requests whose process was connected to a single Redis. */
  const connected = new Set<SentRequest>();
  const base = Math.max(...chosen.limits);
  const override = hasOverride ? new ChangingOverride(world, base) : undefined;
  const limitsOf = (key: string) =>
    key === 'bob' && override ? [...chosen.limits, ...override.limits] : chosen.limits;
  world.tell('KIND', `${JSON.stringify(chosen.options)} ${chosen.limits.join(' and ')}, share ${share.toFixed(2)}`);

  return {
    open(member) {
      const limiter = createLimiter<Subject>({
        store: member.store,
        share,
        onStoreFailure,
        denyCache,
        tiers: [
          {
            name: 'rate',
            key: ({ user }) => user,
            ...chosen.options,
            ...(demotes && { mode: 'demote' }),
          } as Tier<Subject>,
        ],
      });
      override?.open(member, limiter);
      limiters.set(member, limiter);
      return limiter;
    },
    act(member) {
      const key = random.pick(['ada', 'ada', 'bob']);
      const subject = { user: key, limit: random.pick(chosen.limits) };
      const cost = random.pick(chosen.costs);
      const limiter = limiters.get(member)!;
      const times = random.pick([1, 1, 1, 3]);
      // A denial that outlasts its override also asks by the limit of the tier.
      const patience = override !== undefined && key === 'bob' ? PATIENCE_MS : 0;
      const decide = async () => {
        const decision = await limiter.consume(subject, { cost });
        return demotes ? verdictOf(decision, (problem) => world.fail(`${key}: ${problem}`)) : decision;
      };
      const send = () => {
        const { client } = member;
        const isConnected = 'server' in client && client.server !== undefined && client.status === 'ready';
        const sending = requests.send(member, { key, cost, limit: subject.limit, patience }, decide);
        if (isConnected) connected.add(requests.all.at(-1)!);
        return sending;
      };
      for (let time = 0; time < times; time += 1) {
        void send().then(({ decision }) => {
          if (decision?.reason !== 'denied' || decision.degraded || !random.chance(0.5)) return;
          // When it should fit, or shortly before.
          const wait = decision.retryAfter * random.pick([0.99, 1.002]) + random.pick([-2, 2]);
          world.after(Math.max(0, wait), () => member.process.deliver(() => void send()));
        });
      }
    },
    check() {
      for (const each of connected) checkBreaker(each);
      for (const key of ['ada', 'bob']) {
        const all = requests.all.filter((each) => each.key === key);
        const limits = limitsOf(key);
        const limit = Math.max(...limits);
        // After a step of the clock a key admits at most one burst more.
        const losses = (from: number, to: number) =>
          [...fleet.losses, ...fleet.delays].filter((at) => at >= from && at <= to).length;
        checkSpans(
          all.filter(isStored),
          (from, to) => {
            return chosen.most((to - from) * DRIFT, limit) + losses(from, to) * limit;
          },
          (problem) => world.fail(`${key}: Redis ${problem}`),
        );
        const own = Math.max(...limits.map((each) => Math.ceil(Number((each * share).toPrecision(15)))));
        for (const member of new Set(all.map((each) => each.member))) {
          const local = all.filter((each) => each.member === member && isLocal(each));
          checkSpans(
            local,
            (from, to) => chosen.most((to - from) * DRIFT, own),
            (problem) => world.fail(`${key}: ${member.process.name} alone ${problem}`),
          );
        }
        new Answers(fleet, chosen.counts, all).check();
        if (fleet.delays.length === 0) for (const each of all) checkDenial(each, all);
        if (key === 'bob' && fleet.delays.length + fleet.losses.length === 0)
          for (const each of all) override?.check(each);
      }
    },
  };

  /** A process that is connected asks Redis, unless 5 calls in a row have failed, or half of at least 20. */
  function checkBreaker({ member, decision, sentAt, answeredAt }: SentRequest): void {
    if (decision?.degraded !== true || answeredAt > sentAt) return;
    const calls = requests.all.filter(
      (each) =>
        each.member === member && each.answeredAt <= sentAt && (each.answeredAt > each.sentAt || connected.has(each)),
    );
    if (calls.length >= MIN_CALLS) return;
    let [failed, openedAt] = [0, Infinity];
    for (const each of calls.toSorted((one, other) => one.answeredAt - other.answeredAt)) {
      if (each.decision?.degraded === true) {
        failed += 1;
        if (failed >= FAILURES_IN_A_ROW) openedAt = each.answeredAt;
      }
      // A call that was sent before a breaker has opened does not close it.
      else if (each.decision?.source === 'redis' && (failed < FAILURES_IN_A_ROW || each.sentAt > openedAt)) failed = 0;
    }
    if (failed >= FAILURES_IN_A_ROW) return;
    world.fail(`${member.process.name} decides alone at ${sentAt.toFixed(2)}, after ${failed} failures in a row`);
  }

  /** A denial of Redis has a reason: units that other requests were or may have been charged. */
  function checkDenial(denied: SentRequest, all: readonly SentRequest[]): void {
    const { decision, sentAt, answeredAt, cost } = denied;
    if (decision === undefined || decision.allowed || decision.degraded) return;
    const from = sentAt - chosen.counts.longest * DRIFT - 1;
    let charged = 0;
    for (const other of all) {
      if (other === denied || other.sentAt > answeredAt) continue;
      const isLost = other.decision === undefined || other.decision.degraded;
      if (!isLost && other.decision?.allowed === false) continue;
      if (isLost ? other.sentAt + LATE_MS >= from : other.answeredAt >= from) charged += other.cost;
    }
    // A limit that moves denies by the limit of its request.
    const least = Math.min(...limitsOf(denied.key));
    if (charged + cost > least) return;
    world.fail(`${denied.key}: denied at ${answeredAt.toFixed(2)} although only ${charged} of ${least} were used`);
  }
}
