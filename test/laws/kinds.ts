import type { Tier } from '@sluice/core';
import { fairBy } from '@sluice/overload/fair';
import { balance, notices, usage } from '@sluice/quotas';

/** Whom a request is from, and what it asks. The tiers of a kind read all members. */
export interface Caller {
  readonly user: string;
  /** Units of the tier under test. */
  readonly cost: number;
  /** The limit of the moment, of a kind with `limits`. */
  readonly limit: number;
  /** Whether the tier beside it denies. */
  readonly blocked: boolean;
}

/** One kind of tier. Every law runs over every kind. */
export interface Kind {
  readonly name: string;
  /** The options of its tier, without name, key and cost. */
  readonly options: Partial<Tier<Caller>>;
  /** Units that an unused key admits at once, at its largest limit. */
  readonly units: number;
  /** The limits that take turns on a key. @default one limit */
  readonly limits?: readonly number[];
  /** Whether the tiers are a plan, which a function chooses. */
  readonly plans?: true;
  /** Whether overrides set the limits that take turns. */
  readonly overrides?: true;
  /** Units of the balance: of the tier itself, or of one beside it that covers it. */
  readonly credits?: number;
  /** Set where a state that another limit has changed is rounded by a microsecond, so that answers differ by 1 ms. */
  readonly rounds?: true;
  /** What it does not hold, and why: by the name of the law, or by those of the law and the place. */
  readonly except?: Readonly<Record<string, string>>;
}

const window = '10m';
const strikes = { algorithm: 'backoff', limit: 3, window, delays: ['30s', '2m'] } as const;
const HELD = 'a permit comes back when its request ends, so its `retryAfter` is a hint';
const PERMITS = {
  'retry-after-suffices': HELD,
  'one-answer-in-batches': 'a process that holds the whole limit denies by itself, and knows that only after an answer',
};
/** Of limits on both sides of 64, where a charge may store the times of units as counts in slots, or the reverse. */
const FORMS = {
  'denied-leaves-no-trace': 'the undo of a request that has changed the form leaves the form, whose times are rounded',
  'failed-leaves-no-trace': 'the undo of a request that has changed the form leaves the form, whose times are rounded',
  'one-answer, cluster': 'a denied request that is undone leaves the form',
  'settle-is-exact': 'slots count the oldest units by the share of their slot that the window still covers',
};
const CUT = 'a size is rounded up to a unit, and a limit with a smaller size cuts what is beyond it';
/** Of a bucket whose size is no whole number of units at each limit. */
const PARTS = { 'denied-leaves-no-trace': CUT, 'failed-leaves-no-trace': CUT, 'one-answer': CUT };
const UNSPENT = 'it is charged by `pause` alone';
const month = { algorithm: 'fixed-window', limit: 3 } as const;

/** Every algorithm and form of state, then every feature that changes what a tier charges. */
export const KINDS: readonly Kind[] = [
  { name: 'fixed-window', options: { algorithm: 'fixed-window', limit: 7, window }, units: 7 },
  {
    name: 'fixed-window by the clock',
    options: { algorithm: 'fixed-window', limit: 7, window, anchor: 'clock' },
    units: 7,
  },
  { name: 'fixed-window of days', options: { algorithm: 'fixed-window', limit: 7, period: 'day' }, units: 7 },
  { name: 'sliding-window', options: { limit: 7, window }, units: 7 },
  { name: 'sliding-window of counts', options: { limit: 70, window }, units: 70 },
  { name: 'sliding-window of 10 slots', options: { limit: 70, window, precision: 10 }, units: 70 },
  { name: 'sliding-window, strict', options: { limit: 70, window, strict: true }, units: 70 },
  { name: 'sliding-window-log', options: { algorithm: 'sliding-window-log', limit: 7, window }, units: 7 },
  { name: 'token-bucket', options: { algorithm: 'token-bucket', limit: 60, window, burst: 7 }, units: 7 },
  { name: 'token-bucket with rests', options: { algorithm: 'token-bucket', limit: 59, window, burst: 7 }, units: 7 },
  {
    name: 'token-bucket with an overdraft',
    options: { algorithm: 'token-bucket', limit: 60, window, burst: 7, overdraft: 20 },
    units: 7,
  },
  { name: 'leaky-bucket', options: { algorithm: 'leaky-bucket', limit: 60, window, queue: 6 }, units: 7 },
  {
    name: 'multi-window',
    options: {
      algorithm: 'multi-window',
      windows: [
        { limit: 7, window: '5m' },
        { limit: 20, window: '15m' },
      ],
    },
    units: 7,
  },
  {
    name: 'concurrency',
    options: { algorithm: 'concurrency', limit: 7, hold: '1h' },
    units: 7,
    except: PERMITS,
  },
  {
    name: 'concurrency that callers share',
    options: {
      algorithm: 'concurrency',
      limit: 7,
      hold: '1h',
      fair: fairBy(({ cost }: Caller) => (cost > 1 ? 'large' : 'small'), {
        weight: ({ cost }) => Math.min(3, Math.max(1, cost)),
      }),
    },
    units: 7,
    except: {
      'retry-after-suffices': HELD,
      'denied-leaves-no-trace': 'it remembers which callers it has denied',
      'failed-leaves-no-trace': 'it also remembers a caller whose request fails in another slot',
      'one-answer, cluster': 'it also remembers a caller that a tier of another slot denies',
    },
  },
  { name: 'backoff that forgives one', options: { ...strikes, forgive: 'one' }, units: 4 },
  {
    name: 'backoff that forgives all',
    options: { ...strikes, forgive: 'all' },
    units: 4,
    except: { 'settle-is-exact': 'a refund forgives every strike' },
  },
  {
    name: 'ban',
    options: { ...strikes, charge: 'denied' },
    units: 4,
    except: { 'denied-leaves-no-trace': 'it counts denied requests' },
  },
  { name: 'pause', options: { algorithm: 'pause' }, units: 0, except: { 'retry-after-suffices': UNSPENT } },
  {
    name: 'shadow',
    options: { algorithm: 'fixed-window', limit: 7, window, mode: 'shadow' },
    units: 7,
    except: { 'retry-after-suffices': 'it never denies' },
  },
  {
    name: 'demote',
    options: { algorithm: 'sliding-window', limit: 7, window, mode: 'demote' },
    units: 7,
    except: { 'retry-after-suffices': 'it never denies' },
  },
  {
    name: 'fixed-window that charges denied requests',
    options: { algorithm: 'fixed-window', limit: 7, window, charge: 'all' },
    units: 7,
    except: {
      'denied-leaves-no-trace': 'it charges denied requests too',
      'retry-after-suffices': 'a denied request makes its own wait longer',
    },
  },
  {
    name: 'token-bucket that charges denied requests',
    options: { algorithm: 'token-bucket', limit: 60, window, burst: 7, charge: 'all' },
    units: 7,
    except: {
      'denied-leaves-no-trace': 'it charges denied requests too',
      'retry-after-suffices': 'a denied request makes its own wait longer',
    },
  },
  {
    name: 'a cost above full',
    options: { algorithm: 'token-bucket', limit: 60, window, burst: 3, aboveFull: 'all' },
    units: 3,
  },
  { name: 'plans', options: { limit: 7, window }, units: 7, plans: true },
  {
    name: 'fixed-window with notices',
    options: { algorithm: 'fixed-window', limit: 7, window, notices: notices(0.3, 0.5, 1) },
    units: 7,
  },
  {
    name: 'fixed-window with usage',
    options: { algorithm: 'fixed-window', limit: 7, window, usage: usage() },
    units: 7,
  },
  { name: 'sliding-window with usage', options: { limit: 7, window, usage: usage() }, units: 7 },
  {
    name: 'token-bucket with usage',
    options: { algorithm: 'token-bucket', limit: 60, window, burst: 7, usage: usage() },
    units: 7,
  },
  {
    name: 'balance',
    options: { algorithm: balance(), usage: usage() },
    units: 7,
    credits: 7,
    except: { 'retry-after-suffices': 'no time refills it' },
  },
  { name: 'fixed-window with credits', options: { ...month, window }, units: 7, credits: 4 },
  {
    name: 'fixed-window with credits, notices and usage',
    options: { ...month, period: 'day', notices: notices(0.5, 1), usage: usage() },
    units: 7,
    credits: 4,
  },
  moving('fixed-window', { algorithm: 'fixed-window', window }, [7, 3, 12]),
  moving('fixed-window with notices', { algorithm: 'fixed-window', window, notices: notices(0.3, 0.5, 1) }, [7, 3, 12]),
  moving('sliding-window', { window }, [7, 3, 12]),
  { ...moving('sliding-window across 64', { window }, [100, 60, 64, 70]), except: FORMS },
  { ...moving('sliding-window of 10 slots across 64', { window, precision: 10 }, [100, 60, 1]), except: FORMS },
  { ...moving('sliding-window, strict, across 64', { window, strict: true }, [100, 60, 1]), except: FORMS },
  moving('sliding-window-log', { algorithm: 'sliding-window-log', window }, [7, 3, 12]),
  { ...moving('token-bucket', { algorithm: 'token-bucket', window }, [7, 3, 12]), rounds: true },
  {
    ...moving('token-bucket with a fixed burst', { algorithm: 'token-bucket', window, burst: 10 }, [100, 10], 10),
    rounds: true,
  },
  {
    ...moving('leaky-bucket with a queue', { algorithm: 'leaky-bucket', window, queue: 9 }, [100, 10], 10),
    rounds: true,
  },
  { ...moving('concurrency', { algorithm: 'concurrency', hold: '1h' }, [7, 3, 12]), except: PERMITS },
  moving('backoff', { ...strikes, forgive: 'one' }, [2, 5, 3], 6),
  overridden('fixed-window', { algorithm: 'fixed-window', limit: 7, window }, [7, 3, 12]),
  { ...overridden('sliding-window across 64', { limit: 100, window }, [100, 60, 64, 70]), except: FORMS },
  {
    ...overridden(
      'token-bucket with a burst',
      { algorithm: 'token-bucket', limit: 60, window, burst: 6 },
      [60, 20, 100],
      10,
    ),
    rounds: true,
  },
  {
    ...overridden(
      'token-bucket with a part of a unit',
      { algorithm: 'token-bucket', limit: 60, window, burst: 6 },
      [60, 15, 100],
      10,
    ),
    rounds: true,
    except: PARTS,
  },
  {
    ...overridden('concurrency', { algorithm: 'concurrency', limit: 7, hold: '1h' }, [7, 3, 12]),
    except: PERMITS,
  },
];

/** A kind whose limit overrides change. @param units those of an unused key at the largest limit */
function overridden(name: string, options: object, limits: readonly number[], units = Math.max(...limits)): Kind {
  return { name: `${name} of overridden limits`, options, units, limits, overrides: true };
}

/** A kind whose limit is a function. @param units those of an unused key at the largest limit */
function moving(name: string, options: object, limits: readonly number[], units = Math.max(...limits)): Kind {
  const limit = (caller: Caller) => caller.limit;
  return { name: `${name} of moving limits`, options: { ...options, limit }, units, limits };
}
