import * as fc from 'fast-check';
import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import { chargedFor, type Claim } from '../../model/claim.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { claim as claimOf, type ClaimOptions } from '../../../../../test/support/claim.js';
import { DenyCache } from './deny-cache.js';
import { memoryStore } from '../memory/memory-store.js';
import type { Answer } from '../../model/answer.js';

const one: PolicyOptions = { algorithm: 'fixed-window', limit: 1, window: '10s' };
const bucket: PolicyOptions = { algorithm: 'token-bucket', limit: 10, window: '10s' };

function scene(policy: PolicyOptions = one, more: ClaimOptions = {}) {
  const clock = fakeClock(0);
  const denials = new DenyCache(clock);
  const store = memoryStore({ clock: () => Date.UTC(2030, 0, 1) + clock() });
  const claim = claimOf({ policy, ...more });
  const send = (group: readonly Claim[]): Answer => ({ ...store.consume(group), sentAt: clock() });
  const consume = (...group: readonly Claim[]) => denials.remember(group, send(group));
  const outcomesOf = (...group: readonly Claim[]) => denials.answerTo(group)?.outcomes;
  const isKnown = (each: Claim = claim) => denials.answerTo([each]) !== undefined;
  return { clock, denials, store, claim, send, consume, outcomesOf, isKnown };
}

/** A claim that was denied. */
function denied(policy: PolicyOptions = one, more: ClaimOptions = {}) {
  const made = scene(policy, more);
  made.consume({ ...made.claim, cost: made.claim.policy.capacity });
  made.consume(made.claim);
  return made;
}

describe('DenyCache', () => {
  it('answers for a key that was denied', () => {
    const { denials, claim } = denied();

    expect(denials.answerTo([claim])).toMatchObject({
      source: 'deny-cache',
      receipts: [],
      outcomes: [{ tier: 'hour', allowed: false, never: false, limit: 1, remaining: 0, retryAfter: 10_000 }],
    });
  });

  it('has no answer for a key that was admitted', () => {
    const { claim, consume, isKnown } = scene();

    consume(claim);

    expect(isKnown()).toBe(false);
  });

  it('remembers no denial of permits, which another process may end at any time', () => {
    const { claim, consume, isKnown } = scene({ algorithm: 'concurrency', limit: 1 }, { name: 'p1' });
    consume(claim);

    consume({ ...claim, name: 'p2' });

    expect(isKnown()).toBe(false);
  });

  it('answers a group with a ban by the ban alone, because other denials are charged to it', () => {
    const { denials, claim, consume } = denied();
    const ban = claimOf({ policy: bucket, charge: 'denied', tier: 'ban' });

    const before = denials.answerTo([claim, ban]);
    consume(chargedFor({ ...ban, cost: 10 }, 'admitted'));
    consume(claim, ban);

    expect(before).toBeUndefined();
    expect(denials.answerTo([claim, ban])?.outcomes.map(({ tier }) => tier)).toEqual(['ban']);
  });

  it('remembers no answer without sentAt', () => {
    const { denials, store, claim, isKnown } = scene();
    store.consume([claim]);

    denials.remember([claim], store.consume([claim]));

    expect(isKnown()).toBe(false);
  });

  it('counts the durations of an outcome down in whole milliseconds, to 1', () => {
    // Binary fractions, so that their sums are exact.
    const eighths = (max: number) => fc.nat(max).map((each) => each / 8);
    fc.assert(
      fc.property(eighths(100), fc.array(eighths(2_000), { maxLength: 30 }), (start, pauses) => {
        const { clock, claim, consume, outcomesOf } = scene(bucket, { cost: 10 });
        clock.advance(start);
        consume(claim);
        consume(claim);
        const [first] = outcomesOf(claim)!;
        let elapsed = 0;

        for (const pause of pauses) {
          clock.advance(pause);
          elapsed += pause;
          const after = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds - elapsed));
          const { retryAfter, replenishAfter, resetAfter } = first!;
          expect(outcomesOf(claim)).toEqual([
            {
              ...first,
              retryAfter: after(retryAfter),
              replenishAfter: after(replenishAfter),
              resetAfter: after(resetAfter),
            },
          ]);
        }
      }),
    );
  });

  it('reports a wait of at least 1 ms while it denies', () => {
    const { clock, claim, outcomesOf } = denied(bucket, { cost: 5 });

    clock.advance('4500ms');

    expect(outcomesOf(claim)).toMatchObject([{ retryAfter: 500, replenishAfter: 1, resetAfter: 5_500 }]);
  });

  it('counts durations from the reply, and expires by 0.999 of retryAfter from the request', () => {
    const { clock, denials, claim, consume, send, outcomesOf, isKnown } = scene();
    consume(claim);
    const answer = send([claim]);
    clock.advance('30ms');
    denials.remember([claim], answer);

    expect(outcomesOf(claim)).toMatchObject([{ retryAfter: 10_000 }]);
    clock.advance('9950ms');
    expect(isKnown()).toBe(true);
    clock.advance('10ms');
    expect(isKnown()).toBe(false);
  });

  it('expires after a minute, however long the wait is', () => {
    const { clock, isKnown } = denied({ ...one, window: '1h' });

    clock.advance('59999ms');
    expect(isKnown()).toBe(true);
    clock.advance('1ms');
    expect(isKnown()).toBe(false);
  });

  it('answers for the denied cost alone: a larger cost waits longer, and a smaller one may fit', () => {
    const { claim, isKnown } = denied({ ...one, limit: 10 }, { cost: 5 });

    expect([5, 9, 4, 0].map((cost) => isKnown({ ...claim, cost }))).toEqual([true, false, false, false]);
  });

  it('answers a fifth cost with the wait of the next larger one, or has no answer', () => {
    const { claim, consume, outcomesOf } = denied({ ...bucket, limit: 100 }, { cost: 10 });
    for (const cost of [20, 60, 40]) consume({ ...claim, cost });

    const waits = [9, 10, 30, 50, 60, 61].map((cost) => outcomesOf({ ...claim, cost })?.[0]!.retryAfter);

    expect(waits).toEqual([undefined, 1_000, 4_000, 6_000, 6_000, undefined]);
  });

  it('answers a larger cost with the wait for a full budget, after 16 costs', () => {
    const { claim, consume, outcomesOf } = denied({ ...bucket, limit: 100 }, { cost: 10 });
    for (let cost = 11; cost < 25; cost += 1) consume({ ...claim, cost });
    const before = outcomesOf({ ...claim, cost: 50 });

    consume({ ...claim, cost: 25 });

    expect(before).toBeUndefined();
    expect(outcomesOf({ ...claim, cost: 50 })).toMatchObject([{ allowed: false, retryAfter: 10_000 }]);
  });

  it('has no answer after a charge, which lengthens the waits of other costs', () => {
    const { clock, claim, consume, isKnown } = scene(bucket, { cost: 8 });
    consume(claim);
    consume(claim);
    const before = isKnown();
    clock.advance('1s');

    consume({ ...claim, cost: 1 });

    expect([before, isKnown()]).toEqual([true, false]);
  });

  it('answers for policies of equal numbers, and not for others', () => {
    const { claim, isKnown } = denied();
    const { policy: two } = claimOf({ policy: { ...one, limit: 2 } });

    expect(isKnown({ ...claim, policy: { ...claim.policy } })).toBe(true);
    expect(isKnown({ ...claim, policy: two })).toBe(false);
  });

  it('drops a denial when the key is checked under other numbers, which may re-date its state', () => {
    const { claim, consume, isKnown } = denied(bucket);

    consume({ ...claim, policy: claimOf({ policy: { ...bucket, burst: 1 } }).policy, cost: 0 });

    expect(isKnown()).toBe(false);
  });

  it('remembers every tier that denied, and names only those', () => {
    const { clock, claim, consume, outcomesOf } = scene();
    const longer = claimOf({ tier: 'longer', policy: { ...one, window: '40s' } });
    const group = [longer, claim, claimOf({ tier: 'open' })];
    consume(...group);
    consume(...group);

    expect(outcomesOf(...group)!.map(({ tier }) => tier)).toEqual(['longer', 'hour']);
    clock.advance('10s');
    expect(outcomesOf(...group)).toMatchObject([{ tier: 'longer', retryAfter: 30_000 }]);
  });

  it('ignores shadow tiers', () => {
    const { claim, consume, isKnown } = denied();
    const shadow = claimOf({ tier: 'shadow', policy: one, shadow: true });
    consume(shadow);
    consume(shadow);

    expect([isKnown({ ...claim, shadow: true }), isKnown({ ...shadow, shadow: false })]).toEqual([false, false]);
  });

  it('has no answer to a cost that can never fit', () => {
    const { claim, consume, isKnown, outcomesOf } = denied({ ...one, limit: 10 });
    const never = claimOf({ tier: 'small', policy: one, cost: 2 });
    consume(never);

    expect(isKnown(never)).toBe(false);
    expect(outcomesOf({ ...claim, cost: 2 }, never)).toBeUndefined();
  });

  it('forgets a key, and the answers to requests that were sent before', () => {
    const { denials, claim, send, isKnown } = denied();
    const stale = send([claim]);

    denials.forget([claim.key]);
    denials.remember([claim], stale);
    expect(isKnown()).toBe(false);

    denials.remember([claim], { ...stale, sentAt: 1 });
    expect(isKnown()).toBe(true);
  });

  it('forgets a key that a denied request has charged and given back, in another slot of a Cluster', () => {
    const { claim, denials, isKnown } = denied();
    const full = claimOf({ tier: 'full', policy: one });
    const [outcome] = denials.answerTo([claim])!.outcomes;
    const outcomes = [
      { ...outcome!, tier: 'full' },
      { ...outcome!, allowed: true, retryAfter: 0 },
    ];

    denials.remember([full, claim], { outcomes, receipts: [], source: 'redis', sentAt: 0 });

    expect([isKnown(), isKnown(full)]).toEqual([false, true]);
  });

  it('holds 65 536 denials at most, the newest', () => {
    const { denials, claim, isKnown } = denied({ ...one, window: '1h' });
    const answer = { ...denials.answerTo([claim])!, sentAt: 0 };
    const numbered = (tag: number) => claimOf({ policy: claim.policy, tag: `${tag}` });

    for (let tag = 0; tag < 70_000; tag += 1) denials.remember([numbered(tag)], answer);

    expect([isKnown(numbered(69_999)), isKnown(numbered(0)), isKnown()]).toEqual([true, false, false]);
  });
});
