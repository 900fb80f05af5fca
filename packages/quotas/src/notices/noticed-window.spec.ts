import { consumeStates, refundState } from '../../../core/src/own-store/consume-states.js';
import type { Claim } from '../../../core/src/model/claim.js';
import { claim } from '../../../../test/support/claim.js';
import { definePolicy, type PolicyOptions } from '../../../core/src/algorithms/named/policy-options.js';
import { notices } from '../index.js';
import type { NoticedPolicy } from './marks.js';

const month = { algorithm: 'fixed-window', limit: 100, period: 'month', notices: notices(0.5, 0.9, 1) } as const;
const NOW = Date.UTC(2026, 10, 12);
const NEXT = Date.UTC(2026, 11, 2);

/** A key whose state is that of a store of an application. */
class Key {
  #text: string | undefined;
  #claim: Claim;

  constructor(options: PolicyOptions) {
    this.#claim = claim({ policy: definePolicy(options) });
  }

  /** Charges units, and returns the marks that they have reached. */
  charge(cost: number, now = NOW) {
    const { answer, states } = consumeStates([{ ...this.#claim, cost }], () => this.#text, now);
    this.#text = states.get(this.#claim.key)?.text ?? this.#text;
    return { answer, marks: answer.reached?.map(({ mark }) => mark) ?? [] };
  }

  refund(charged: ReturnType<Key['charge']>, now = NOW): void {
    this.#text = refundState(charged.answer.receipts[0]!, this.#text, now).state?.text ?? this.#text;
  }

  change(options: PolicyOptions): void {
    this.#claim = { ...this.#claim, policy: definePolicy(options) };
  }
}

describe('a fixed window with notices', () => {
  beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));
  afterEach(() => jest.restoreAllMocks());

  it('tells a mark with the charge that reaches it, and its use, limit and end', () => {
    const key = new Key(month);

    const reported = [49, 1, 39, 1, 9, 1].map((cost) => key.charge(cost));

    expect(reported.map(({ marks }) => marks)).toEqual([[], [0.5], [], [0.9], [], [1]]);
    expect(reported[3]!.answer.reached).toEqual([
      { tier: 'hour', key: expect.any(String), mark: 0.9, used: 90, limit: 100, endsAt: Date.UTC(2026, 11, 1) },
    ]);
  });

  it('tells each of several marks that one charge reaches', () => {
    expect(new Key(month).charge(95).marks).toEqual([0.5, 0.9]);
  });

  it('tells no mark for a denied request, nor for one of 0 units', () => {
    const key = new Key(month);
    key.charge(89);

    expect([key.charge(20).marks, key.charge(0).marks, key.charge(1).marks]).toEqual([[], [], [0.9]]);
  });

  it('tells a mark once in a period, also when refunds have lowered the count', () => {
    const key = new Key(month);
    const first = key.charge(60);
    key.refund(first);

    const again = [key.charge(60).marks, key.charge(35).marks];
    const next = key.charge(60, NEXT).marks;

    expect([first.marks, ...again, next]).toEqual([[0.5], [], [0.9], [0.5]]);
  });

  it('tells a mark again in a window that begins with the next request after a refund', () => {
    const key = new Key({ algorithm: 'fixed-window', limit: 100, window: '1h', notices: notices(0.5) });
    const first = key.charge(60);
    key.refund(first);

    expect(key.charge(60, NOW + 60_000).marks).toEqual([0.5]);
  });

  it('tells the marks of another limit that are above what was reported', () => {
    const key = new Key(month);
    key.charge(95);
    key.change({ ...month, limit: 200 });

    expect([key.charge(5).marks, key.charge(85).marks]).toEqual([[0.5], [0.9]]);
  });

  it('tells no mark again after a refund under another limit, whose marks are elsewhere', () => {
    const key = new Key(month);
    const reached = key.charge(50).marks;
    key.change({ ...month, limit: 200 });
    key.refund(key.charge(1));
    key.change(month);

    expect([reached, key.charge(1).marks, key.charge(39).marks]).toEqual([[0.5], [], [0.9]]);
  });

  it('goes on with a count from before the notices', () => {
    const { notices: _, ...plain } = month;
    const key = new Key(plain);
    key.charge(60);
    key.change(month);

    expect([key.charge(1).marks, key.charge(35).marks]).toEqual([[], [0.9]]);
    key.change(plain);
    expect(key.charge(1).answer.outcomes[0]!.remaining).toBe(3);
  });

  it('has marks at whole units, of which none is below its part of the limit', () => {
    const marks = (limit: number) =>
      (definePolicy({ ...month, limit, notices: notices(0.07, 0.5, 0.9) }) as NoticedPolicy).marks;

    expect(marks(100).map(({ units }) => units)).toEqual([7, 50, 90]);
    expect(marks(3).map(({ units }) => units)).toEqual([1, 2, 3]);
  });
});
