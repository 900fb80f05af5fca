import type { DecisionCounts, History } from './messages.js';
import type { OutageLog } from './outage-log.js';
import { SlotRing } from './slot-ring.js';

export type Reason = keyof DecisionCounts;
export const REASONS = ['ok', 'denied', 'never', 'unavailable', 'shed'] as const satisfies readonly Reason[];

export const NO_DECISIONS: DecisionCounts = Object.freeze({ ok: 0, denied: 0, never: 0, unavailable: 0, shed: 0 });

/** Decisions by reason, in slots of equal length. */
export class DecisionHistory {
  readonly #step: number;
  readonly #slots: number;
  readonly #outages: OutageLog;
  readonly #rings: Readonly<Record<Reason, SlotRing>>;

  /** @param step the length of a slot, in milliseconds */
  constructor(step: number, slots: number, outages: OutageLog) {
    this.#step = step;
    this.#slots = slots;
    this.#outages = outages;
    const ring = () => new SlotRing(step, slots);
    this.#rings = { ok: ring(), denied: ring(), never: ring(), unavailable: ring(), shed: ring() };
  }

  /** @param now milliseconds since the start */
  count(now: number, reason: Reason, count = 1): void {
    this.#rings[reason].count(now, count);
  }

  /** @param slots fewer than all: the newest */
  read(now: number, slots = this.#slots): History {
    const { ok, denied, never, unavailable, shed } = this.#rings;
    return {
      step: this.#step,
      ok: ok.read(now, slots),
      denied: denied.read(now, slots),
      never: never.read(now, slots),
      unavailable: unavailable.read(now, slots),
      shed: shed.read(now, slots),
      outage: this.#outages.read(now, this.#step, slots),
    };
  }
}
