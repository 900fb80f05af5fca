import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';

import { peekGroup } from '../../algorithms/group.js';
import { definePolicy, type PolicyOptions } from '../../algorithms/named/policy-options.js';
import { changedTerms, type Charging, type Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { KeyStates } from '../../../../../test/support/key-states.js';
import { toAnswer } from '../answer.js';
import type { Answer } from '../../model/answer.js';
import { memoryStore, type DecidingStore, type MemoryStore } from './memory-store.js';

// Each tier has two limits to change between, and a window that a few steps of the clock outlast.
const TIERS: readonly (readonly [PolicyOptions, PolicyOptions])[] = [
  limits({ algorithm: 'fixed-window' }, { limit: 5 }, { limit: 3 }),
  limits({ algorithm: 'fixed-window', anchor: 'clock', window: '7s' }, { limit: 5 }, { limit: 9 }),
  limits({}, { limit: 7 }, { limit: 4 }),
  limits({ strict: true, precision: 10 }, { limit: 7 }, { limit: 9 }),
  limits({ algorithm: 'sliding-window-log' }, { limit: 5 }, { limit: 3 }),
  limits({ algorithm: 'token-bucket' }, { limit: 7 }, { limit: 3, burst: 8 }),
  limits({ algorithm: 'leaky-bucket' }, { limit: 7, queue: 4 }, { limit: 3, queue: 2 }),
  // Above a limit of 64 a window is counted in two slots.
  limits({}, { limit: 140 }, { limit: 80 }),
  limits({ strict: true, precision: 1 }, { limit: 140 }, { limit: 100 }),
];
/** A cost of these tiers is as many units. */
const LOTS: Readonly<Record<number, number>> = { 7: 20, 8: 20 };
const POLICIES = TIERS.map((each) => each.map((options) => definePolicy(options)));

function limits(policy: object, one: object, other: object): [PolicyOptions, PolicyOptions] {
  const optionsOf = (limit: object) => ({ window: '10s', ...policy, ...limit }) as object as PolicyOptions;
  return [optionsOf(one), optionsOf(other)];
}

const claims = fc.uniqueArray(
  fc.record({
    number: fc.nat({ max: 17 }),
    variant: fc.nat({ max: 1 }),
    cost: fc.integer({ min: 0, max: 4 }),
    shadow: fc.boolean(),
    // Most are such claims as the store decides in place.
    charge: fc.constantFrom<Charging>('admitted', 'admitted', 'admitted', 'admitted', 'admitted', 'denied', 'all'),
  }),
  { selector: ({ number }) => number, minLength: 1, maxLength: 4 },
);
const steps = fc.oneof(
  { weight: 8, arbitrary: fc.record({ action: fc.constant('consume' as const), claims }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('peek' as const), claims }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('refund' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('reset' as const), number: fc.nat({ max: 17 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      action: fc.constant('step' as const),
      milliseconds: fc.integer({ min: -15_000, max: 15_000 }),
    }),
  },
);

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Stores whose tiers have keys of their own, and whose tiers count side by side in rows of four and of three. */
const LAYOUTS: readonly (readonly [name: string, rows: readonly (readonly number[])[]])[] = [
  ['each key apart', []],
  [
    'tiers side by side',
    [
      [0, 1, 2, 3],
      [4, 5, 6],
    ],
  ],
];

function storeOf(clock: () => number, rows: readonly (readonly number[])[], maxKeys: number): MemoryStore {
  const store = memoryStore({ maxKeys, clock }) as DecidingStore;
  for (const tiers of rows) expect(store.join(tiers.map(endOf))).toBe(true);
  return store;
}

describe.each(LAYOUTS)('memoryStore below its bound, with %s', (_name, rows) => {
  it('answers like states in a Map that never expire', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 60, maxLength: 120 }), (all) => {
        const clock = fakeClock();
        const store = storeOf(clock, rows, 20);
        const reference = new Reference(clock);
        const receipts: Receipt[] = [];
        const wrong: object[] = [];
        for (const each of all) {
          const answer = play(store, each, receipts);

          const expected = play(reference, each, receipts);
          // An assertion takes longer than all else in a step.
          if (!isDeepStrictEqual(answer, expected)) wrong.push({ answer, expected });
          if (each.action === 'consume') receipts.push(...(answer as Answer).receipts);
          if (each.action === 'step') {
            // An expired state may be stored or not, which shows when the clock steps back.
            store.reset(reference.forgetExpired());
            clock.step(each.milliseconds);
          }
          if (store.size > reference.size) wrong.push({ size: store.size, most: reference.size });
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

describe.each(LAYOUTS)('memoryStore at its bound, with %s', (_name, rows) => {
  it('has each key as a Map has it, or has forgotten it, and forgets none that denies', () => {
    const claim = fc.record({ number: fc.nat({ max: 359 }), cost: fc.integer({ min: 1, max: 3 }) });
    const groups = fc.uniqueArray(claim, { selector: ({ number }) => number, minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(groups, fc.nat({ max: 900 })), { minLength: 150, maxLength: 200 }), (all) => {
        const clock = fakeClock();
        const store = storeOf(clock, rows, 16);
        const reference = new Reference(clock);
        const wrong: object[] = [];
        /** Keys that may deny. */
        const used = new Set<string>();
        for (const [numbers, milliseconds] of all) {
          clock.step(milliseconds);
          // When more keys deny than have room, they count in one budget.
          if (used.size > 8) {
            clock.step(60_000);
            used.clear();
          }
          const group = numbers.map((each) => claimOf({ ...each, variant: 0, shadow: false, charge: 'admitted' }));
          for (const each of group) {
            const one = [{ ...each, cost: 1 }];
            const [found, expected] = [store.peek(one), reference.peek(one)];
            if (isDeepStrictEqual(found, expected)) continue;
            if (!expected.outcomes[0]!.allowed) wrong.push({ found, expected });
            reference.reset([each.key]);
            if (!isDeepStrictEqual(found, reference.peek(one))) wrong.push({ found });
          }
          const [answer, expected] = [store.consume(group), reference.consume(group)];
          if (!isDeepStrictEqual(answer, expected)) wrong.push({ answer, expected });
          for (const [index, { remaining }] of expected.outcomes.entries()) {
            if (remaining === 0) used.add(group[index]!.key);
          }
          if (store.size > 16) wrong.push({ size: store.size });
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

function play(
  store: Pick<MemoryStore, 'consume' | 'peek' | 'refund' | 'reset'>,
  step: Step,
  receipts: readonly Receipt[],
): unknown {
  if (step.action === 'consume') return store.consume(step.claims.map(claimOf));
  if (step.action === 'peek') return store.peek(step.claims.map(claimOf));
  if (step.action === 'refund') return store.refund(receipts.slice(step.pick % (receipts.length + 1)).slice(0, 2));
  if (step.action === 'reset') store.reset([keyOf(step.number)]);
  return undefined;
}

/** Decides over states that never expire. */
class Reference {
  readonly #states = new KeyStates();
  readonly #clock: () => number;

  /** @param clock milliseconds */
  constructor(clock: () => number) {
    this.#clock = () => Math.round(clock() * 1e3);
  }

  consume(group: readonly Claim[]): Answer {
    return toAnswer(group, this.#states.decide(group, this.#clock()), { source: 'memory', now: this.#clock() });
  }

  peek(group: readonly Claim[]): Answer {
    const rulings = this.#states.decide(group, this.#clock(), peekGroup);
    return toAnswer(group, rulings, { source: 'memory', now: this.#clock() });
  }

  refund(receipts: readonly Receipt[]): number {
    return receipts.reduce((sum, receipt) => sum + this.#states.refund(receipt, this.#clock()), 0);
  }

  reset(keys: readonly string[]): void {
    for (const key of keys) this.#states.forget(key);
  }

  /** Returns the keys that it forgets. */
  forgetExpired(): string[] {
    const expired = this.#states.expired(this.#clock());
    this.reset(expired);
    return expired;
  }

  get size(): number {
    return this.#states.size;
  }
}

function keyOf(number: number): string {
  return `rl:{${Math.floor(number / TIERS.length)}}${endOf(number % TIERS.length)}`;
}

function endOf(tier: number): string {
  return `:tier ${tier}:shape`;
}

type RandomClaim = (typeof claims extends fc.Arbitrary<infer T> ? T : never)[number];

function claimOf({ number, variant, cost: lots, shadow, charge }: RandomClaim): Claim {
  const tier = number % TIERS.length;
  const cost = lots * (LOTS[tier] ?? 1);
  return {
    tier: `tier ${tier}`,
    key: keyOf(number),
    policy: POLICIES[tier]![variant]!,
    record: undefined,
    cost,
    shadow,
    terms: changedTerms(undefined, { charge }),
  };
}
