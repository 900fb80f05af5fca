import type { ConcurrencyOptions } from '../../../../packages/core/src/algorithms/concurrency/concurrency.js';
import { microseconds } from './integers.js';
import type { Charge, Hints, Model } from './model.js';

interface Unit {
  readonly permit: string;
  /** From 1 on. */
  readonly number: bigint;
  readonly until: bigint;
}

type Units = readonly Unit[];

/** A list of units, each with the time until which it counts. */
export class ConcurrencyModel implements Model<Units> {
  readonly tick = 1000n;
  readonly capacity: bigint;
  readonly #hold: bigint;
  readonly #retry: bigint;

  constructor({ limit, hold = '30s', retry = '1s' }: ConcurrencyOptions) {
    this.capacity = BigInt(limit);
    this.#hold = microseconds(hold) / this.tick;
    this.#retry = microseconds(retry) / this.tick;
  }

  isAhead(stored: Units, now: bigint): boolean {
    return stored.some(({ until }) => until > now + this.#hold);
  }

  redated(stored: Units | undefined, now: bigint): Units {
    const latest = now + this.#hold;
    return (stored ?? []).map((unit) => (unit.until > latest ? { ...unit, until: latest } : unit));
  }

  fits(state: Units, now: bigint, cost: bigint): boolean {
    return BigInt(live(state, now).length) + cost <= this.capacity;
  }

  isUnused(state: Units, now: bigint): boolean {
    return live(state, now).length === 0;
  }

  charge(state: Units, now: bigint, cost: bigint, permit: string): Units {
    const until = now + this.#hold;
    const added = Array.from({ length: Number(cost) }, (_, index) => ({ permit, number: BigInt(index + 1), until }));
    return [...live(state, now), ...added];
  }

  refund(stored: Units, _now: bigint, charge: Charge): { state: Units; refunded: bigint } {
    const state = stored.filter((unit) => !isOf(unit, charge));
    return { state, refunded: BigInt(stored.length - state.length) };
  }

  renew(stored: Units | undefined, now: bigint, charge: Charge): { state: Units; lapsed: bigint } {
    const state = this.redated(stored, now);
    const others = state.filter((unit) => !isOf(unit, charge));
    const { permit, units, of } = charge;
    const renewed = Array.from({ length: Number(units) }, (_, index) => ({
      permit: permit!,
      number: of! - BigInt(index),
      until: now + this.#hold,
    }));
    return { state: [...others, ...renewed], lapsed: units - BigInt(state.length - others.length) };
  }

  hints(state: Units, now: bigint): Hints {
    const isHeld = live(state, now).length > 0;
    return {
      retryAfter: this.#retry,
      replenishAfter: isHeld ? this.#retry : 0n,
      resetAfter: isHeld ? this.#hold : 0n,
    };
  }

  reportedLimit(): bigint {
    return this.capacity;
  }

  delay(): bigint {
    return 0n;
  }
}

function live(units: Units, now: bigint): Units {
  return units.filter(({ until }) => until > now);
}

/** Whether a unit is one of the last of its permit, which a charge stands for. */
function isOf({ permit, number }: Unit, charge: Charge): boolean {
  return permit === charge.permit && number > charge.of! - charge.units && number <= charge.of!;
}
