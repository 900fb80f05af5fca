import { chargingOf, type Claim } from '../../../../packages/core/src/model/claim.js';
import type { Receipt } from '../../../../packages/core/src/model/receipt.js';
import type { Ruling } from '../../../../packages/core/src/model/ruling.js';
import { ceilDiv, least } from './integers.js';
import type { Charge, Model } from './model.js';

/** Holds the states of keys in the model, and checks the rulings of the twins against it. */
export class ModelTwin {
  readonly #states = new Map<string, unknown>();

  /** Decides a group, and returns what is wrong with the rulings of the twins. */
  consume(parts: readonly Part[], peek: boolean, microseconds: bigint): string[] {
    const checks = parts.map((part) => this.#check(part, microseconds));
    const admit = checks.every(({ claim, fits }) => fits || claim.shadow);
    return checks.flatMap((each) => {
      const { claim, ruling, model, now, stored, state, cost, fits } = each;
      const isCalled = chargingOf(claim) === 'denied' ? !admit : admit;
      const isSpent = !claim.policy.algorithm.chargesNobody && isCalled && fits;
      const charges = !peek && cost > 0n && (chargingOf(claim) === 'all' || isSpent);
      const after = charges ? model.charge(state, now, cost, claim.name ?? '') : state;
      if (charges || (!peek && stored !== undefined && model.isAhead(stored, now))) this.#states.set(claim.key, after);
      const charged = charges ? (fits ? cost : least(cost, room(model, state, now))) : 0n;
      // A strike may begin a ban, of which the same request hears.
      const fitsAfter = charges && chargingOf(claim) === 'denied' ? model.fits(after, now, cost) : fits;
      const problems = problemsOf({ ...each, after, charged, fits: fitsAfter });
      return problems.map((problem) => `${claim.key} ${problem} in ${JSON.stringify(ruling)}`);
    });
  }

  refund(receipt: Receipt, model: Model, microseconds: bigint): bigint {
    const { key } = receipt;
    const stored = this.#states.get(key);
    if (stored === undefined) return 0n;
    const { state, refunded } = model.refund(stored, microseconds / model.tick, chargeOf(receipt));
    if (refunded > 0n) this.#states.set(key, state);
    return refunded;
  }

  /** The units that had lapsed. */
  renew(receipt: Receipt, model: Model, microseconds: bigint): bigint {
    const { key } = receipt;
    const { state, lapsed } = model.renew!(this.#states.get(key), microseconds / model.tick, chargeOf(receipt));
    this.#states.set(key, state);
    return lapsed;
  }

  /** Whether a key can expire, because none of its units is used. */
  isUnused(key: string, model: Model, microseconds: bigint): boolean {
    const stored = this.#states.get(key);
    if (stored === undefined) return true;
    return model.isExpired?.(stored, microseconds) ?? model.isUnused(stored, microseconds / model.tick);
  }

  forget(key: string): void {
    this.#states.delete(key);
  }

  #check({ claim, ruling, model }: Part, microseconds: bigint) {
    const now = microseconds / model.tick;
    const cost = BigInt(claim.cost);
    const stored = this.#states.get(claim.key);
    const state = model.redated(stored, now);
    const fits = cost === 0n || (cost <= model.capacity && model.fits(state, now, cost));
    return { claim, ruling, model, now, stored, state, cost, fits };
  }
}

function chargeOf({ units, at, until, name, of, undone, before = 0 }: Receipt): Charge {
  const charge = {
    units: BigInt(units),
    at: BigInt(at),
    until: BigInt(until),
    ...(undone && { undone, before: BigInt(before) }),
  };
  return name === undefined ? charge : { ...charge, permit: name, of: BigInt(of!) };
}

/** A claim, the ruling of the twins, and the model of its policy. */
export interface Part {
  readonly claim: Claim;
  readonly ruling: Ruling;
  readonly model: Model;
}

interface Decided extends Part {
  readonly now: bigint;
  readonly cost: bigint;
  readonly fits: boolean;
  /** Before and after the charge. */
  readonly state: unknown;
  readonly after: unknown;
  readonly charged: bigint;
}

function problemsOf({ ruling, model, now, cost, fits, state, after, charged }: Decided): string[] {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => void (holds || problems.push(problem));
  const isExact = (wait: number, holds: (later: bigint) => boolean) => {
    const later = now + BigInt(wait);
    return wait >= 0 && holds(later) && (wait === 0 || !holds(later - 1n));
  };
  const remaining = BigInt(ruling.remaining);
  const hints = model.hints?.(after, now);

  expect(BigInt(ruling.charged) === charged, `charges ${charged}`);
  if (fits) expect(ruling.retryAfter === 0, 'fits');
  else if (cost > model.capacity) expect(ruling.retryAfter === -1, 'never fits');
  else if (hints) expect(BigInt(ruling.retryAfter) === hints.retryAfter, 'has another retryAfter');
  else
    expect(
      isExact(ruling.retryAfter, (later) => model.fits(after, later, cost)),
      'has a wrong retryAfter',
    );
  if (hints?.remaining !== undefined) expect(remaining === hints.remaining, 'has other remaining units');
  else {
    expect(remaining === 0n || model.fits(after, now, remaining), 'has fewer remaining units');
    expect(
      remaining === model.capacity || (remaining < model.capacity && !model.fits(after, now, remaining + 1n)),
      'has more remaining units',
    );
  }
  if (hints) expect(BigInt(ruling.replenishAfter) === hints.replenishAfter, 'has another replenishAfter');
  else if (remaining === model.capacity) expect(ruling.replenishAfter === 0, 'has nothing to replenish');
  else
    expect(
      isExact(ruling.replenishAfter, (later) => model.fits(after, later, remaining + 1n)),
      'has a wrong replenishAfter',
    );
  if (hints) expect(BigInt(ruling.resetAfter) === hints.resetAfter, 'has another resetAfter');
  else
    expect(
      isExact(ruling.resetAfter, (later) => model.isUnused(after, later)),
      'has a wrong resetAfter',
    );
  expect(
    BigInt(ruling.limit) === model.reportedLimit(after, now, { cost, denied: ruling.retryAfter !== 0 }),
    'has another limit',
  );
  expect(ruling.before === undefined || BigInt(ruling.before) === model.before!(state), 'has found another state');
  expect(BigInt(ruling.delay) === (fits ? model.delay(charged > 0n ? state : after, now) : 0n), 'has another delay');
  return problems;
}

/** Bisects for the largest cost that fits. */
function room(model: Model, state: unknown, now: bigint): bigint {
  let low = 0n;
  let high = model.capacity + 1n;
  while (high - low > 1n) {
    const middle = ceilDiv(low + high, 2n);
    if (model.fits(state, now, middle)) low = middle;
    else high = middle;
  }
  return low;
}
