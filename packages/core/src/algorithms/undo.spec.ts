import * as fc from 'fast-check';
import { chargedFor, type Claim } from '../model/claim.js';
import { undoOf, type Receipt } from '../model/receipt.js';
import { toReceipt } from '../stores/answer.js';
import { KeyStates } from '../../../../test/support/key-states.js';
import { peekGroup } from './group.js';
import { definePolicy, type PolicyOptions } from './named/policy-options.js';

const strikes = (forgive: 'all' | 'one', limit = 4): PolicyOptions => ({
  algorithm: 'backoff',
  limit,
  window: '1h',
  delays: ['10s', '1m'],
  forgive,
});
const bucket = { algorithm: 'token-bucket', limit: 59, window: '1h', burst: 9 } as const;

/** Every algorithm and form of state. */
const KINDS: readonly (readonly [name: string, policy: PolicyOptions])[] = [
  ['fixed-window', { algorithm: 'fixed-window', limit: 9, window: '1h' }],
  ['fixed-window by the clock', { algorithm: 'fixed-window', limit: 9, window: '1h', anchor: 'clock' }],
  ['sliding-window', { limit: 9, window: '1h' }],
  ['sliding-window of counts', { limit: 90, window: '1h' }],
  ['sliding-window of 10 slots', { limit: 90, window: '1h', precision: 10 }],
  ['sliding-window, strict', { limit: 90, window: '1h', strict: true }],
  ['sliding-window-log', { algorithm: 'sliding-window-log', limit: 9, window: '1h' }],
  ['token-bucket', bucket],
  ['token-bucket with an overdraft', { ...bucket, overdraft: 20 }],
  ['leaky-bucket', { algorithm: 'leaky-bucket', limit: 59, window: '1h', queue: 8 }],
  [
    'multi-window',
    {
      algorithm: 'multi-window',
      windows: [
        { limit: 9, window: '1h' },
        { limit: 5, window: '10m' },
      ],
    },
  ],
  ['concurrency', { algorithm: 'concurrency', limit: 9, hold: '1h' }],
  ['backoff that forgives all', strikes('all')],
  ['backoff that forgives one', strikes('one')],
  ['pause', { algorithm: 'pause' }],
];

const SECOND = 1e6;
const START = 20_000 * 86_400 * SECOND;

interface Step {
  /** Seconds before it. */
  readonly pause: number;
  readonly cost: number;
}

const pause = fc.oneof(fc.constant(0), fc.nat(30), fc.nat(2_000), fc.double({ min: 0, max: 1, noNaN: true }));
const step: fc.Arbitrary<Step> = fc.record({ pause, cost: fc.integer({ min: 1, max: 3 }) });
const steps = fc.array(step, { maxLength: 12 });

const RUNS = { numRuns: 40 };

describe.each(KINDS)('an undo of a charge of %s', (_name, options) => {
  it('leaves every later answer as if the charge had never been made', () => {
    fc.assert(
      fc.property(steps, step, pause, (history, charge, later) => {
        const [tried, spared] = [new World(options), new World(options)];
        for (const each of history) for (const world of [tried, spared]) world.take(each);
        const receipt = tried.take(charge);
        fc.pre(receipt !== undefined);
        spared.wait(charge.pause);
        for (const world of [tried, spared]) world.wait(later);

        tried.undo(receipt);

        expect(tried.future()).toEqual(spared.future());
      }),
      RUNS,
    );
  });
});

describe.each(KINDS.filter(([, { algorithm }]) => algorithm !== 'pause'))(
  'an undo after other charges of %s',
  (_name, options) => {
    it('leaves what they alone would have left, or less until its units are back', () => {
      fc.assert(
        fc.property(steps, step, steps, pause, (history, charge, others, later) => {
          const [tried, spared] = [new World(options), new World(options)];
          for (const each of history) for (const world of [tried, spared]) world.take(each);
          const before = spared.look();
          const receipt = tried.take(charge);
          fc.pre(receipt !== undefined);
          spared.wait(charge.pause);
          let time = later;
          for (const each of others) {
            time += each.pause;
            const both = [tried, spared].map((world) => world.take(each) !== undefined);
            // What is denied because of the charge is not undone.
            fc.pre(both[0] === both[1]);
          }
          for (const world of [tried, spared]) world.wait(later);

          tried.undo(receipt);

          // A window that the charge began also ends sooner than one that others begin.
          fc.pre(time < 3_600);
          expect(tried.look().remaining).toBeLessThanOrEqual(spared.look().remaining);
          fc.pre(others.length === 0 || isExactWith(options, before, charge.pause + time));
          expect(tried.future()).toEqual(spared.future());
        }),
        RUNS,
      );
    });
  },
);

/** Whether a state tells what it would be without one of its charges. @param seconds from `before` to the undo */
function isExactWith({ algorithm, ...options }: PolicyOptions, before: ReturnType<World['look']>, seconds: number) {
  const { resetAfter } = before;
  switch (algorithm) {
    // The window that the charge began stays, because others charged in it.
    case 'fixed-window':
      return resetAfter > seconds * SECOND || 'anchor' in options;
    // An idle bucket would have lost what time brings.
    case 'leaky-bucket':
      return false;
    case 'token-bucket':
      return resetAfter > seconds * SECOND;
    // The charge may have kept older strikes alive.
    case 'backoff':
      return seconds < 1_600 && resetAfter > seconds * 1e3;
    default:
      return true;
  }
}

describe('an undo of a window', () => {
  it('keeps its end for what others charged in it', () => {
    const world = new World({ algorithm: 'fixed-window', limit: 9, window: '1h' });
    const receipt = world.take({ pause: 0, cost: 1 })!;
    world.take({ pause: 60, cost: 1 });

    world.undo(receipt);

    expect(world.look()).toMatchObject({ remaining: 8, resetAfter: 3_540 * SECOND });
  });
});

describe('an undo of a backoff', () => {
  it('forgives no other strike, though a refund does', () => {
    const world = new World(strikes('all'));
    world.take({ pause: 0, cost: 3 });
    const receipt = world.take({ pause: 1, cost: 1 })!;

    world.undo(receipt);

    expect(world.look().remaining).toBe(1);
  });

  it('is exact at the most strikes that a key counts', () => {
    const world = new World(strikes('all', 999));
    world.take({ pause: 0, cost: 998 });
    const receipt = world.take({ pause: 1, cost: 1_000 })!;

    world.undo(receipt);

    expect(world.look().remaining).toBe(1);
  });

  it('keeps the time of another strike of the same moment', () => {
    const world = new World(strikes('one'));
    world.take({ pause: 0, cost: 1 });
    const receipt = world.take({ pause: 60, cost: 1 })!;
    world.take({ pause: 0, cost: 1 });

    world.undo(receipt);

    expect(world.look()).toMatchObject({ remaining: 2, resetAfter: 3_600_000 });
  });
});

describe('an undo of a place in a queue', () => {
  it('leaves a place that another request waits behind', () => {
    const world = new World({ algorithm: 'leaky-bucket', limit: 60, window: '1h', queue: 5 });
    const receipt = world.take({ pause: 0, cost: 1 })!;
    world.take({ pause: 1, cost: 1 });

    expect(world.undo(receipt)).toBe(0);
  });
});

describe('an undo of a pause', () => {
  it('leaves a longer pause that came after it', () => {
    const world = new World({ algorithm: 'pause' });
    const receipt = world.take({ pause: 0, cost: 1 })!;
    const longer = world.pause(5_000);

    expect(longer).toBeUndefined();
    expect(world.undo(receipt)).toBe(0);
    expect(world.look().resetAfter).toBe(5_000);
  });
});

/** One key on a clock. */
class World {
  readonly #claim: Claim;
  readonly #states = new KeyStates();
  #now = START;
  #permits = 0;

  constructor(options: PolicyOptions) {
    const policy = definePolicy(options);
    const claim = { tier: 'tier', key: 'key', policy, cost: 1, shadow: false, record: undefined };
    this.#claim = chargedFor(claim, policy.algorithm.chargesNobody ? 'all' : 'admitted');
  }

  wait(seconds: number): void {
    this.#now += Math.floor(seconds * SECOND);
  }

  /** The receipt of a request that is admitted. */
  take({ pause: seconds, cost }: Step): Receipt | undefined {
    this.wait(seconds);
    return this.pause(cost);
  }

  /** Charges units now: the milliseconds of a pause. */
  pause(cost: number): Receipt | undefined {
    this.#permits += 1;
    const claim = {
      ...this.#claim,
      cost,
      ...(this.#claim.policy.algorithm.endsWithRequest && { name: `permit-${this.#permits}` }),
    };
    const [ruling] = this.#states.decide([claim], this.#now);
    return ruling!.charged > 0 ? toReceipt(claim, ruling!, this.#now) : undefined;
  }

  undo(receipt: Receipt): number {
    return this.#states.refund(undoOf([receipt])[0]!, this.#now);
  }

  look() {
    return this.#rulings([0])[0]!;
  }

  /** The rulings on requests at several later times, and after one more charge. */
  future() {
    const { policy } = this.#claim;
    const times = [0, 1, SECOND, policy.window / 2, policy.window - 1, policy.window];
    const now = this.#rulings(times);
    this.pause(1);
    return [now, this.#rulings(times)];
  }

  #rulings(times: readonly number[]) {
    return times.map((later) => this.#states.decide([this.#claim], this.#now + Math.floor(later), peekGroup)[0]!);
  }
}
