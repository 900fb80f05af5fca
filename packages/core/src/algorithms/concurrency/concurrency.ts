// concurrency/ limits what runs at the same time: permits that end by release or by their own time. Permits, a cost and
// a time enter. It imports the algorithms' shared files, and the order of a line from waiting.
import { RATE_FACTS } from '../../model/algorithm-facts.js';
import type { Duration } from '../../model/duration.js';
import type { DurationRange } from '../../options/duration-rule.js';
import { FAIR } from '../../options/imported-value.js';
import { type OptionRows, withoutMeaning } from '../../options/option-row.js';
import { type Algorithm, algorithmOf, type Charge, type NamedAlgorithm } from '../algorithm.js';
import { MOST_HELD_UNITS } from '../most-units.js';
import { LIMIT_ROW } from '../rate.js';
import type { Renewal, Renewing } from '../renewing.js';
import { toMilliseconds } from '../tick.js';
import type { PermitPolicy, SharedLimit } from './permit-policy.js';
import { Permits, permitUnits } from './permits.js';

export interface ConcurrencyOptions<Limit = number, Fair = never> {
  /** `'concurrency'` limits how many requests run at the same time. */
  algorithm: 'concurrency';
  /**
   * Units that may be held at the same time, 1 to 10 000. The limit of a tier may be a function of the subject.
   *
   * @example limit: 5
   */
  limit: Limit;
  /**
   * How long a permit counts after it was given or renewed, from 1 s to 1 h. A process renews the permits of its
   * running requests. When it dies, they end this much later.
   *
   * @default '30s'
   */
  hold?: Duration;
  /**
   * The `retryAfter` of a denial, from 1 ms to 1 h: a hint, because no store knows when a request ends.
   *
   * @default '1s'
   */
  retry?: Duration;
  /**
   * The longest time for which a permit is renewed, from `hold` to 400 days. It is for requests that may never end.
   *
   * @default no bound; from the close of its response on, `hold` and at least 30 s
   */
  longest?: Duration;
  /**
   * How long a request waits for a permit, from 0 to 1 h, if only concurrency tiers deny it. Nothing is charged
   * meanwhile.
   *
   * @default 0, which denies immediately
   */
  wait?: Duration;
  /**
   * Requests that wait for a permit of one key in one process, at most 100 000. More are denied immediately. With `fair` a caller
   * takes no more places than it leaves free.
   *
   * @default 100
   */
  queue?: number;
  /**
   * `fairBy()` of `@sluice/overload/fair`: callers share the limit by their weights. A caller takes what is free, and yields to
   * callers that were denied below their share. Requests that wait are let in by turns of their callers. The limit is at most
   * 1 000.
   *
   * @default none: requests take units in the order of their arrival
   * @example fair: fairBy(({ tenant }) => tenant, { weight: ({ plan }) => (plan === 'pro' ? 3 : 1) })
   */
  fair?: Fair | undefined;
}

const HOLD: DurationRange = { range: '1 s to 1 h', min: 1e6, max: 3.6e9, example: "30000 or '30s'" };
const WAIT: DurationRange = { range: '0 to 1 h', min: 0, max: 3.6e9, example: "2000 or '2s'" };
const MAX_QUEUE = 100_000;
const RETRY: DurationRange = { range: '1 ms to 1 h', max: 3.6e9, example: "1000 or '1s'" };
const LONGEST: DurationRange = { range: 'hold to 400 days', min: 1e6, max: 3.456e13, example: "3600000 or '1h'" };

const OPTIONS = {
  limit: { ...LIMIT_ROW, integer: [1, MOST_HELD_UNITS] },
  hold: { milliseconds: HOLD, otherwise: '30s' },
  retry: { milliseconds: RETRY, otherwise: '1s' },
  longest: { milliseconds: LONGEST },
  wait: { milliseconds: WAIT, otherwise: 0 },
  queue: { integer: [1, MAX_QUEUE], otherwise: 100 },
  fair: { imported: FAIR },
} as const satisfies OptionRows;

/**
 * Limits the units that are held at the same time. A unit counts until it is released, or for `hold` after its latest
 * renewal: what a dead process held comes back automatically.
 */
export const concurrency: Algorithm<PermitPolicy, Permits> & NamedAlgorithm<'concurrency'> = {
  ...RATE_FACTS,
  refill: undefined,
  endsWithRequest: true,
  denialsLast: false,
  name: 'concurrency',
  code: 'cc',
  keyType: 'zset',
  twin: 'cc',
  options: OPTIONS,
  rules: withoutMeaning(['lease', 'charge', 'usage'], 'concurrency, whose units come back when their requests end'),
  storesUnits: true,
  facets: { renewing: { renew } satisfies Renewing<PermitPolicy, Permits> },
  packing: {
    path: () => 'cc',
    unpack: (numbers, position) => new Permits(undefined, numbers[position]),
  },

  define(options) {
    const { limit, hold, retry, wait, queue, fair } = options.read(OPTIONS);
    const longest = options.one('longest', { milliseconds: { ...LONGEST, min: hold * 1e3 } });
    const policy: PermitPolicy = Object.freeze({
      algorithm: concurrency,
      limit,
      quota: limit,
      capacity: limit,
      window: hold * 1e3,
      hold,
      retry,
      longest: longest ?? Infinity,
      wait,
      queue,
      tick: 1e3,
      dimensions: `concurrency ${hold}`,
      settling: undefined,
      numbers: [1e3, limit, limit, hold, retry],
    } satisfies PermitPolicy);
    return (fair as SharedLimit | undefined)?.shared(policy, options) ?? policy;
  },

  isAhead(stored, now, { hold }) {
    return stored.latest > now + hold;
  },

  read(stored, now, policy) {
    if (stored === undefined) return new Permits();
    return this.isAhead(stored, now, policy) ? stored.redated(now + policy.hold) : stored;
  },

  wait(state, now, policy, cost) {
    return state.live(now) + cost > policy.limit ? policy.retry : 0;
  },

  remaining(state, now, { limit }) {
    return Math.max(0, limit - state.live(now));
  },

  /** Changes the state, which a store saves whenever it was charged: a copy would take as long as there are units. */
  charge(state, now, { hold }, cost, name) {
    state.dropLapsed(now);
    state.hold(permitUnits(name!, cost, cost), now + hold);
    return state;
  },

  describe(state, now, policy, { charged, retryAfter }) {
    const live = state.live(now);
    return {
      charged,
      limit: policy.limit,
      remaining: Math.max(0, policy.limit - live),
      retryAfter,
      replenishAfter: live > 0 ? policy.retry : 0,
      resetAfter: live > 0 ? policy.hold : 0,
      delay: 0,
    };
  },

  tell(outcome, _claim, { retryAfter }) {
    outcome.held = true;
    if (retryAfter > 0) outcome.hint = true;
    return outcome;
  },

  refund(stored, _now, _policy, { units, name, of = units }) {
    return { state: stored, given: stored.release(permitUnits(name!, units, of)) };
  },

  expiresAt(state) {
    return state.latest;
  },

  terms(state, now, policy) {
    const first = state.entries().find(([, until]) => until > now);
    return { form: 'permits', units: state.live(now), firstLapsesAt: first && toMilliseconds(first[1], policy) };
  },

  /** To forget a key would be to forget what runs. */
  staysUntil(state, now) {
    return state.live(now) > 0 ? state.latest : 0;
  },

  revive(json) {
    const { permits, others } = json as { permits: [string, number][]; others?: number };
    return new Permits(permits, others);
  },
};

function renew(
  stored: Permits | undefined,
  now: number,
  policy: PermitPolicy,
  { units, name, of = units }: Charge,
): Renewal<Permits> {
  // Not of this algorithm alone: others of permits read their own states.
  const state = algorithmOf(policy).read(stored, now, policy) as Permits;
  return { state, lapsed: state.hold(permitUnits(name!, units, of), now + policy.hold) };
}
