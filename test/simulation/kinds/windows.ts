import { createLimiter, type Limiter, type Tier } from '../../../packages/core/src/index.js';
import type { SentRequest } from '../requests.js';
import { isLocal, isStored } from '../requests.js';
import { Answers, type Expiry } from './answers.js';
import type { Kind } from './kind.js';

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
const refilled = (milliseconds: number, limit: number) => limit + (milliseconds * limit) / W;

const WHOLE: Expiry = { certain: W, longest: W };
const STRICT: Expiry = { certain: W, longest: 1.1 * W };
const PARTLY: Expiry = { certain: undefined, longest: W };
const LONG: Expiry = { certain: undefined, longest: 2 * W };

function rate(
  options: Partial<Tier<Subject>>,
  limits: readonly number[],
  rest: Omit<Rate, 'options' | 'limits'>,
): Rate {
  const limit = limits.length === 1 ? limits[0]! : ({ limit: each }: Subject) => each;
  return { options: { ...options, limit, window: W } as Partial<Tier<Subject>>, limits, ...rest };
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
  rate({ algorithm: 'sliding-window-log' }, [9, 4], { costs: [1], most: inAny, counts: WHOLE }),
];

/** Clocks of two machines. */
const DRIFT = 1.001;
/** Milliseconds for which a command of a request that has failed may still arrive. */
const LATE_MS = 10_000;

export const windows: Kind = {
  name: 'windows',
  begin(fleet, requests) {
    const { world } = fleet;
    const { random } = world;
    const chosen = random.pick(RATES);
    const share = random.pick([1, 1 / fleet.size]);
    const onStoreFailure = random.pick(['local', 'local', 'deny', 'allow'] as const);
    const denyCache = random.chance(0.7);
    const limiters = new Map<object, Limiter<Subject>>();
    const limit = Math.max(...chosen.limits);
    world.tell('KIND', `${JSON.stringify(chosen.options)} ${chosen.limits.join(' and ')}, share ${share.toFixed(2)}`);

    return {
      limiterOf(member) {
        const limiter = createLimiter<Subject>({
          store: member.store,
          share,
          onStoreFailure,
          denyCache,
          tiers: [{ name: 'rate', key: ({ user }) => user, ...chosen.options } as Tier<Subject>],
        });
        limiters.set(member, limiter);
        return limiter;
      },
      act(member) {
        const key = random.pick(['ada', 'ada', 'bob']);
        const subject = { user: key, limit: random.pick(chosen.limits) };
        const cost = random.pick(chosen.costs);
        const limiter = limiters.get(member)!;
        const times = random.pick([1, 1, 1, 3]);
        const send = () => requests.send(member, { key, cost }, () => limiter.consume(subject, { cost }));
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
        for (const key of ['ada', 'bob']) {
          const all = requests.all.filter((each) => each.key === key);
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
          const own = Math.max(...chosen.limits.map((each) => Math.ceil(Number((each * share).toPrecision(15)))));
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
        }
      },
    };

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
      const least = Math.min(...chosen.limits);
      if (charged + cost > least) return;
      world.fail(`${denied.key}: denied at ${answeredAt.toFixed(2)} although only ${charged} of ${least} were used`);
    }
  },
};

/** No span of time holds more than it may: of requests that were sent and answered within it. */
function checkSpans(
  admitted: readonly SentRequest[],
  most: (from: number, to: number) => number,
  fail: (problem: string) => void,
): void {
  const sorted = admitted.toSorted((one, other) => one.answeredAt - other.answeredAt);
  for (const { sentAt: from } of sorted) {
    let units = 0;
    for (const { sentAt, answeredAt, cost } of sorted) {
      if (sentAt < from) continue;
      units += cost;
      const bound = most(from, answeredAt);
      if (units <= bound + 1e-6) continue;
      const span = `${from.toFixed(2)} to ${answeredAt.toFixed(2)}`;
      fail(`admits ${units} from ${span}, and at most ${bound.toFixed(1)} are allowed`);
      return;
    }
  }
}
