import { signal } from '@preact/signals';
import type { DecisionCounts, History } from '../src/messages.ts';

const REASONS = ['ok', 'denied', 'never', 'unavailable'] as const;

/** Decisions over time, oldest first. */
export class Series {
  readonly history = signal<History>({ step: 1_000, ok: [], denied: [], never: [], unavailable: [] });

  fill(history: History): void {
    this.history.value = history;
  }

  /** Moves on, and spreads what has come over the new slots. */
  add(slots: number, counts: DecisionCounts): void {
    const { value } = this.history;
    const moved = REASONS.map((reason) => {
      const old = value[reason];
      const added = Array.from({ length: Math.min(slots, old.length) }, () => Math.max(0, counts[reason]) / slots);
      return [reason, [...old.slice(added.length), ...added]] as const;
    });
    this.history.value = { step: value.step, ...(Object.fromEntries(moved) as Omit<History, 'step'>) };
  }
}
