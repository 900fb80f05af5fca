import { signal } from '@preact/signals';
import type { History } from '../src/messages.ts';

const REASONS = ['ok', 'denied', 'never', 'unavailable', 'shed'] as const;

/** Decisions over time, oldest first. */
export class Series {
  readonly history = signal<History>({ step: 1_000, ok: [], denied: [], never: [], unavailable: [], shed: [] });

  fill(history: History): void {
    this.history.value = history;
  }

  /** Moves on by so many slots. The newest ones are those of `recent`, which can still change. */
  move(slots: number, recent: History): void {
    const { value } = this.history;
    const moved = REASONS.map((reason) => {
      const old = value[reason];
      const all = [...old.slice(slots), ...Array<number>(Math.min(slots, old.length)).fill(0)];
      const newest = recent[reason].slice(-all.length);
      return [reason, [...all.slice(0, all.length - newest.length), ...newest]] as const;
    });
    this.history.value = { step: value.step, ...(Object.fromEntries(moved) as Omit<History, 'step'>) };
  }
}
