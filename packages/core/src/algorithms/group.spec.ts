import { EPOCH } from '../testing/internal/budget.js';
import type { Claim } from '../model/claim.js';
import type { Ruling } from '../model/ruling.js';
import { candidate, consumeGroup, consumeNext, peekGroup } from './group.js';
import { definePolicy } from './policy-options.js';

/** Tiers of one unit an hour each: what is charged is what is missing. */
class Tiers {
  readonly #states = new Map<string, unknown>();

  consume(...claims: Claim[]): Ruling[] {
    return this.#decide(claims, EPOCH, consumeGroup);
  }

  consumeAt(microseconds: number, ...claims: Claim[]): Ruling[] {
    return this.#decide(claims, microseconds, consumeGroup);
  }

  peek(...claims: Claim[]): Ruling[] {
    return this.#decide(claims, EPOCH, peekGroup);
  }

  state(key: string): unknown {
    return this.#states.get(key);
  }

  #decide(claims: Claim[], now: number, decide: typeof consumeGroup): Ruling[] {
    const candidates = claims.map((claim) => candidate(claim, this.#states.get(claim.key)));
    decide(candidates, now);
    for (const { claim, changed, state } of candidates) if (changed) this.#states.set(claim.key, state);
    return candidates.map(({ ruling }) => ruling!);
  }
}

function tier(key: string, limit: number, claim: Partial<Claim> = {}): Claim {
  const policy = definePolicy({ algorithm: 'fixed-window', limit, window: '1h' });
  return { tier: key, key, policy, cost: 1, shadow: false, countDenied: false, record: undefined, ...claim };
}

describe('A group of claims', () => {
  it('is charged as one when every claim fits', () => {
    const tiers = new Tiers();

    const rulings = tiers.consume(tier('ip', 2), tier('user', 5, { cost: 3 }));

    expect(rulings.map(({ charged, remaining }) => [charged, remaining])).toEqual([
      [1, 1],
      [3, 2],
    ]);
  });

  it('is not charged at all when one claim denies', () => {
    const tiers = new Tiers();
    tiers.consume(tier('ip', 1));

    const [user, ip] = tiers.consume(tier('user', 5), tier('ip', 1));

    expect(user).toMatchObject({ charged: 0, remaining: 5, retryAfter: 0 });
    expect(ip).toMatchObject({ charged: 0, remaining: 0, retryAfter: 3_600_000_000 });
    expect(tiers.state('user')).toBeUndefined();
  });

  it('tells after a denial what is really left', () => {
    const tiers = new Tiers();

    const [ip] = tiers.consume(tier('ip', 5, { cost: 3 }), tier('user', 2, { cost: 3 }));

    expect(ip).toMatchObject({ charged: 0, remaining: 5 });
  });

  it('is charged to a shadow claim that fits, and denied by none', () => {
    const tiers = new Tiers();
    const claims = [tier('ip', 5), tier('new', 1, { shadow: true })];

    tiers.consume(...claims);
    const [ip, shadow] = tiers.consume(...claims);

    expect(ip).toMatchObject({ charged: 1, remaining: 3 });
    expect(shadow).toMatchObject({ charged: 0, remaining: 0, retryAfter: 3_600_000_000 });
  });

  it('is not charged to a shadow claim when another denies', () => {
    const tiers = new Tiers();
    tiers.consume(tier('ip', 1));

    const [shadow] = tiers.consume(tier('new', 5, { shadow: true }), tier('ip', 1));

    expect(shadow).toMatchObject({ charged: 0, remaining: 5, retryAfter: 0 });
  });

  it('is charged to a claim that counts denied requests, whoever denies', () => {
    const tiers = new Tiers();
    tiers.consume(tier('ip', 1));

    const [attempts] = tiers.consume(tier('attempts', 5, { countDenied: true }), tier('ip', 1));

    expect(attempts).toMatchObject({ charged: 1, remaining: 4, retryAfter: 0 });
  });

  it('fills a budget that counts denied requests up to full, and makes its own wait longer', () => {
    const tiers = new Tiers();
    const policy = definePolicy({ algorithm: 'token-bucket', limit: 10, window: 1000 });
    const attempts = tier('attempts', 1, { policy, countDenied: true, cost: 4 });

    expect(tiers.consume(attempts, attempts)[0]).toMatchObject({ charged: 4, remaining: 6 });
    expect(tiers.consume(attempts)[0]).toMatchObject({ charged: 4, remaining: 2 });
    expect(tiers.consume(attempts)[0]).toMatchObject({
      charged: 2,
      remaining: 0,
      retryAfter: 400_000,
      resetAfter: 1_000_000,
    });
    expect(tiers.consume(attempts)[0]).toMatchObject({
      charged: 0,
      remaining: 0,
      retryAfter: 400_000,
      resetAfter: 1_000_000,
    });
  });

  it('is read and not charged by a cost of 0', () => {
    const tiers = new Tiers();
    tiers.consume(tier('ip', 1));

    const [ip] = tiers.consume(tier('ip', 1, { cost: 0, countDenied: true }), tier('user', 2));

    expect(ip).toMatchObject({ charged: 0, remaining: 0, retryAfter: 0 });
  });

  it('never fits when a claim asks for more than its tier can hold', () => {
    const tiers = new Tiers();

    const [ip, user] = tiers.consume(tier('ip', 2, { cost: 3 }), tier('user', 5));

    expect(ip).toMatchObject({ charged: 0, remaining: 2, retryAfter: -1 });
    expect(user).toMatchObject({ charged: 0, remaining: 5 });
  });

  it('changes nothing when it is only looked at', () => {
    const tiers = new Tiers();
    const claims = [tier('ip', 2), tier('attempts', 2, { countDenied: true })];
    tiers.consume(...claims);
    const before = tiers.state('ip');

    const [ip] = tiers.peek(...claims);

    expect(ip).toMatchObject({ charged: 0, remaining: 1, retryAfter: 0 });
    expect(tiers.state('ip')).toBe(before);
    expect(tiers.peek(tier('ip', 2, { cost: 2 }))[0]).toMatchObject({ charged: 0, retryAfter: 3_600_000_000 });
  });

  it('keeps on a denial nothing but a date that was put right', () => {
    const tiers = new Tiers();
    const hour = 3_600_000_000;
    tiers.consumeAt(EPOCH + 10 * hour, tier('ip', 1));
    const late = tiers.state('ip');

    tiers.consumeAt(EPOCH + 10 * hour, tier('ip', 1));
    expect(tiers.state('ip')).toBe(late);

    tiers.consumeAt(EPOCH, tier('ip', 1));
    expect(tiers.state('ip')).toEqual([1, EPOCH + hour]);
  });
});

describe('A unit in the place of one that was decided', () => {
  it('is decided as if it were the first', () => {
    const [one, other] = [tier('one', 1), tier('other', 1)];
    const each = candidate(one, undefined);
    const rulings = [consumeNext(each, one, undefined, EPOCH)];
    const { state } = each;

    rulings.push(consumeNext(each, one, state, EPOCH));
    const isChanged = each.changed;
    rulings.push(consumeNext(each, other, undefined, EPOCH));

    const tiers = new Tiers();
    expect(rulings).toEqual([one, one, other].flatMap((claim) => tiers.consume(claim)));
    expect(rulings.map(({ charged }) => charged)).toEqual([1, 0, 1]);
    expect([isChanged, each.changed]).toEqual([false, true]);
  });
});
