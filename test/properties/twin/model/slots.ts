import type { MultiWindowOptions } from '../../../../packages/core/src/algorithms/multi-window/multi-window.js';
import type { SlidingWindowOptions } from '../../../../packages/core/src/algorithms/sliding-window/sliding-window.js';
import { ceilDiv, least, microseconds, most } from './integers.js';
import type { Charge, DecidedRequest, Model } from './model.js';

export interface Slotted {
  /** The slot of the last charge or re-dating. */
  readonly newest: bigint;
  /** Slots that hold units. */
  readonly units: readonly { readonly slot: bigint; readonly count: bigint }[];
}

interface Window {
  readonly limit: bigint;
  readonly slots: bigint;
}

/** Windows over slots, which are numbered from 1970. The oldest slot counts in proportion to its covered part. */
export class SlotsModel implements Model<Slotted> {
  readonly tick: bigint;
  readonly capacity: bigint;
  readonly #slot: bigint;
  readonly #windows: readonly Window[];
  readonly #strict: boolean;

  constructor(options: SlidingWindowOptions | MultiWindowOptions) {
    this.#strict = 'strict' in options && options.strict;
    const windows = 'windows' in options ? options.windows : [options];
    const spans = windows.map(({ limit, window }) => ({ limit: BigInt(limit), span: microseconds(window) }));
    const precision = BigInt(options.precision ?? (this.#strict ? 50 : 1));
    const slot = spans.map(({ span }) => span).reduce(commonDivisor) / precision;
    const largest = spans.map(({ limit }) => limit).reduce(most);
    const ticks = [1n, 10n, 100n, 1000n, 10_000n, 100_000n, 1_000_000n];
    this.tick = ticks.find((tick) => slot % tick === 0n && largest * (slot / tick) < 2n ** 52n)!;
    this.#slot = slot / this.tick;
    this.capacity = spans.map(({ limit }) => limit).reduce(least);
    this.#windows = spans
      .toSorted((one, other) => Number(other.span - one.span))
      .map(({ limit, span }) => ({ limit, slots: span / slot }));
  }

  isAhead({ newest }: Slotted, now: bigint): boolean {
    return newest > now / this.#slot;
  }

  redated(stored: Slotted | undefined, now: bigint): Slotted {
    const newest = now / this.#slot;
    if (stored === undefined) return { newest, units: [] };
    const late = most(0n, stored.newest - newest);
    const oldest = newest - this.#longest;
    const units = stored.units
      .map(({ slot, count }) => ({ slot: slot - late, count }))
      .filter(({ slot }) => slot >= oldest);
    return { newest, units };
  }

  fits(state: Slotted, now: bigint, cost: bigint): boolean {
    return this.#windows.every((window) => this.#used(state, now, window) + cost <= window.limit);
  }

  isUnused(state: Slotted, now: bigint): boolean {
    const oldest = now / this.#slot - this.#longest;
    return state.units.every(({ slot, count }) => count === 0n || slot < oldest);
  }

  charge(state: Slotted, now: bigint, cost: bigint): Slotted {
    const units = least(cost, this.room(state, now));
    const current = state.units.find(({ slot }) => slot === state.newest)?.count ?? 0n;
    const others = state.units.filter(({ slot }) => slot !== state.newest);
    return { newest: state.newest, units: [...others, { slot: state.newest, count: current + units }] };
  }

  /** Units that fit. */
  room(state: Slotted, now: bigint): bigint {
    return this.#windows.map((window) => most(0n, window.limit - this.#used(state, now, window))).reduce(least);
  }

  refund(stored: Slotted, now: bigint, { units, at }: Charge): { state: Slotted; refunded: bigint } {
    const state = this.redated(stored, now);
    const refunded = least(units, state.units.find(({ slot }) => slot === at / this.#slot)?.count ?? 0n);
    if (refunded === 0n) return { state: stored, refunded };
    const left = state.units.map(({ slot, count }) => ({
      slot,
      count: slot === at / this.#slot ? count - refunded : count,
    }));
    return { state: { newest: state.newest, units: left }, refunded };
  }

  /** After a denial, the limit of the window with the longest wait. Else that of the window with the fewest units. */
  reportedLimit(state: Slotted, now: bigint, { cost, denied }: DecidedRequest): bigint {
    if (denied) {
      const never = this.#windows.find(({ limit }) => cost > limit);
      if (never) return never.limit;
      const waits = this.#windows.map((window) => this.#wait(state, now, window, cost));
      return this.#windows[waits.indexOf(waits.reduce(most))]!.limit;
    }
    const left = this.#windows.map((window) => most(0n, window.limit - this.#used(state, now, window)));
    return this.#windows[left.indexOf(left.reduce(least))]!.limit;
  }

  delay(): bigint {
    return 0n;
  }

  get #longest(): bigint {
    return this.#windows[0]!.slots;
  }

  /** Bisects, because usage never grows without a charge. */
  #wait(state: Slotted, now: bigint, window: Window, cost: bigint): bigint {
    let low = -1n;
    let high = (window.slots + 1n) * this.#slot;
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (this.#used(state, now + middle, window) + cost <= window.limit) high = middle;
      else low = middle;
    }
    return high;
  }

  #used({ units }: Slotted, now: bigint, { limit, slots }: Window): bigint {
    const newest = now / this.#slot;
    const covered = this.#strict ? this.#slot : this.#slot - (now % this.#slot);
    let used = 0n;
    for (const { slot, count } of units) {
      const counted = least(count, limit);
      if (slot > newest - slots) used += counted;
      else if (slot === newest - slots) used += ceilDiv(counted * covered, this.#slot);
    }
    return used;
  }
}

function commonDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : commonDivisor(other, one % other);
}
