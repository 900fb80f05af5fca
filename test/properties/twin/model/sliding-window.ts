import type { SlidingWindowOptions } from '../../../../packages/core/src/algorithms/sliding-window/sliding-window.js';
import { least, microseconds, most } from './integers.js';
import { LogModel, type Charged } from './log.js';
import type { Charge, DecidedRequest, Model } from './model.js';
import { SlotsModel, type Slotted } from './slots.js';

/** A state, in the form of the policy that charged it last. Times of a log are microseconds. */
type Form = { readonly log: Charged } | { readonly slotted: Slotted };

/** Up to a limit of 64 a log, above slots. A limit that changes keeps the units of the other form. */
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
    this.#slots = new SlotsModel(options);
    this.tick = this.#keepsLog ? this.#logTick : this.#slots.tick;
    this.capacity = BigInt(limit);
  }

  isAhead(stored: Form, now: bigint): boolean {
    if ('log' in stored !== this.#keepsLog) return true;
    const time = now * this.tick;
    if ('log' in stored) return this.#log.isAhead(stored.log, this.#logTime(now));
    return stored.slotted.newest > time / this.#slot;
  }

  redated(stored: Form | undefined, now: bigint): Form {
    if (stored === undefined) return this.#keepsLog ? { log: [] } : { slotted: this.#slots.redated(undefined, now) };
    if ('slotted' in stored) {
      return this.#keepsLog
        ? { log: this.#toLog(stored.slotted, now) }
        : { slotted: this.#slots.redated(stored.slotted, now) };
    }
    const log = this.#current(stored.log, now);
    return this.#keepsLog ? { log } : { slotted: this.#toSlots(log, now) };
  }

  fits(state: Form, now: bigint, cost: bigint): boolean {
    if ('log' in state) return this.#log.fits(state.log, this.#logTime(now), cost);
    return this.#slots.fits(state.slotted, now, cost);
  }

  isUnused(state: Form, now: bigint): boolean {
    // A log is more precise than the ticks of a policy with slots.
    if ('log' in state) return this.#log.isUnused(state.log, (now + 1n) * this.tick - 1n);
    const slot = (now * this.tick) / this.#slot;
    const oldest = slot - this.#window / this.#slot;
    return state.slotted.units.every((each) => each.count === 0n || each.slot < oldest);
  }

  charge(state: Form, now: bigint, cost: bigint): Form {
    if ('log' in state) return { log: this.#log.charge(state.log, this.#logTime(now), cost) };
    return { slotted: this.#slots.charge(state.slotted, now, cost) };
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
    const inTicks = (time: bigint) => (time * this.tick) / slots.tick;
    const refund = slots.refund(stored.slotted, inTicks(now), { ...charge, at: inTicks(charge.at) });
    return { state: { slotted: refund.state }, refunded: refund.refunded };
  }

  reportedLimit(_state: Form, _now: bigint, _decided: DecidedRequest): bigint {
    return this.capacity;
  }

  delay(): bigint {
    return 0n;
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

  /** Each unit gets the last moment of its slot, and of more units than the limit the newest count. */
  #toLog({ newest, units }: Slotted, now: bigint): Charged {
    const time = this.#logTime(now);
    let room = this.capacity;
    const log: { at: bigint; units: bigint }[] = [];
    for (const { slot, count } of units.toSorted((one, other) => Number(other.slot - one.slot))) {
      if (slot < newest - this.#window / this.#slot) continue;
      const kept = least(count, room);
      room -= kept;
      const end = ((slot + 1n) * this.#slot + this.#logTick - 1n) / this.#logTick - 1n;
      const at = least(time, end * this.#logTick);
      if (kept > 0n && time < at + this.#window) log.unshift({ at, units: kept });
    }
    return log;
  }

  #toSlots(log: Charged, now: bigint): Slotted {
    const counts = new Map<bigint, bigint>();
    for (const { at, units } of log) counts.set(at / this.#slot, (counts.get(at / this.#slot) ?? 0n) + units);
    const units = [...counts].map(([slot, count]) => ({ slot, count }));
    return this.#slots.redated({ newest: most(0n, (now * this.tick) / this.#slot), units }, now);
  }
}
