import type { SlidingWindowOptions } from '../../../../packages/core/src/algorithms/sliding-window/sliding-window.js';
import { least, microseconds, most } from './integers.js';
import { LogModel, type Charged } from './log.js';
import type { Charge, DecidedRequest, Model } from './model.js';
import { SlotsModel, type Slotted } from './slots.js';

/** A state, in the form of the policy whose unit was charged last. Times of a log are microseconds. */
type Form = { readonly log: Charged } | { readonly slotted: Slotted };

/** Up to a limit of 64 charges a log, above slots. Both read the other form, and keep its units. */
export class SlidingWindowModel implements Model<Form> {
  readonly tick: bigint;
  readonly capacity: bigint;
  readonly #keepsLog: boolean;
  readonly #log: LogModel;
  readonly #slots: SlotsModel;
  /** Microseconds of a slot, and ticks of a log in a slot. */
  readonly #slot: bigint;
  readonly #logTick: bigint;
  readonly #window: bigint;

  constructor(options: SlidingWindowOptions) {
    const { limit, window, strict } = options;
    const slots = BigInt(options.precision ?? (strict ? 50 : 1));
    this.#window = microseconds(window);
    this.#slot = this.#window / slots;
    const ticks = [1n, 10n, 100n, 1000n, 10_000n, 100_000n, 1_000_000n];
    this.#logTick = ticks.find((tick) => (2n ** 14n * this.#window) / tick < 2n ** 52n)!;
    this.#keepsLog = limit <= 64;
    this.#log = new LogModel({ algorithm: 'sliding-window-log', limit, window });
    // To a limit of a log, a ring is a strict one.
    this.#slots = new SlotsModel({ ...options, precision: Number(slots), strict: strict === true || limit <= 64 });
    this.tick = this.#keepsLog ? this.#logTick : this.#slots.tick;
    this.capacity = BigInt(limit);
  }

  isAhead(stored: Form, now: bigint): boolean {
    if ('log' in stored) return this.#log.isAhead(stored.log, this.#logTime(now));
    return this.#slots.isAhead(stored.slotted, this.#slotsTime(now));
  }

  redated(stored: Form | undefined, now: bigint): Form {
    if (stored === undefined && this.#keepsLog) return { log: [] };
    if (stored !== undefined && 'log' in stored) return { log: this.#current(stored.log, now) };
    return { slotted: this.#slots.redated(stored?.slotted, this.#slotsTime(now)) };
  }

  fits(state: Form, now: bigint, cost: bigint): boolean {
    if ('log' in state) return this.#log.fits(state.log, this.#logTime(now), cost);
    return this.#slots.fits(state.slotted, this.#slotsTime(now), cost);
  }

  isUnused(state: Form, now: bigint): boolean {
    return this.isExpired(state, now * this.tick);
  }

  isExpired(state: Form, time: bigint): boolean {
    if ('log' in state) return this.#log.isUnused(state.log, (time / this.#logTick) * this.#logTick);
    const oldest = time / this.#slot - this.#window / this.#slot;
    return state.slotted.units.every((each) => each.count === 0n || each.slot < oldest);
  }

  charge(state: Form, now: bigint, cost: bigint): Form {
    const [logTime, slotsTime] = [this.#logTime(now), this.#slotsTime(now)];
    const room =
      'log' in state ? this.capacity - this.#log.live(state.log, logTime) : this.#slots.room(state.slotted, slotsTime);
    if (room <= 0n) return state;
    const units = least(cost, room);
    if (this.#keepsLog) {
      const log = 'log' in state ? state.log : this.#toLog(state.slotted, now);
      return { log: this.#log.charge(log, logTime, units) };
    }
    const slotted = 'log' in state ? this.#toSlots(state.log, now) : state.slotted;
    return { slotted: this.#slots.charge(slotted, slotsTime, units) };
  }

  refund(stored: Form, now: bigint, charge: Charge): { state: Form; refunded: bigint } {
    if ('log' in stored) {
      const at = this.#logTime(charge.at);
      const refund = this.#log.refund(this.#current(stored.log, now), this.#logTime(now), { ...charge, at });
      return refund.refunded === 0n
        ? { state: stored, refunded: 0n }
        : { state: { log: refund.state }, refunded: refund.refunded };
    }
    // A receipt of another form names its slot by its own ticks.
    const slots = this.#slots;
    const at = this.#slotsTime(charge.at);
    const refund = slots.refund(stored.slotted, this.#slotsTime(now), { ...charge, at });
    return { state: { slotted: refund.state }, refunded: refund.refunded };
  }

  reportedLimit(_state: Form, _now: bigint, _decided: DecidedRequest): bigint {
    return this.capacity;
  }

  delay(): bigint {
    return 0n;
  }

  /** A time of the policy in ticks of its slots. */
  #slotsTime(now: bigint): bigint {
    return (now * this.tick) / this.#slots.tick;
  }

  /** A time of the policy, rounded down to a tick of a log, in microseconds. */
  #logTime(now: bigint): bigint {
    return ((now * this.tick) / this.#logTick) * this.#logTick;
  }

  /** The units of the window that ends now. Units of the future become units of now. */
  #current(log: Charged, now: bigint): Charged {
    const time = this.#logTime(now);
    return log.map(({ at, units }) => ({ at: least(at, time), units })).filter(({ at }) => time < at + this.#window);
  }

  /** Each unit gets the last moment of its slot. */
  #toLog({ newest, units }: Slotted, now: bigint): Charged {
    const time = this.#logTime(now);
    return units
      .filter(({ slot, count }) => count > 0n && slot >= newest - this.#window / this.#slot)
      .toSorted((one, other) => Number(one.slot - other.slot))
      .map(({ slot, count }) => {
        const end = ((slot + 1n) * this.#slot + this.#logTick - 1n) / this.#logTick - 1n;
        return { at: least(time, end * this.#logTick), units: count };
      })
      .filter(({ at }) => time < at + this.#window);
  }

  #toSlots(log: Charged, now: bigint): Slotted {
    const counts = new Map<bigint, bigint>();
    for (const { at, units } of log) counts.set(at / this.#slot, (counts.get(at / this.#slot) ?? 0n) + units);
    const units = [...counts].map(([slot, count]) => ({ slot, count }));
    return this.#slots.redated({ newest: most(0n, (now * this.tick) / this.#slot), units }, now);
  }
}
