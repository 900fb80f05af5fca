import { signal } from '@preact/signals';
import type { History } from '../src/messages.ts';

const LISTS = ['ok', 'denied', 'never', 'unavailable', 'shed', 'outage'] as const;

const EMPTY: History = { step: 1_000, ok: [], denied: [], never: [], unavailable: [], shed: [], outage: [] };

/** Decisions over time, oldest first. */
export class Series {
  readonly history = signal<History>(EMPTY);

  fill(history: History): void {
    this.history.value = history;
  }

  /** Moves on by so many slots. The newest ones are those of `recent`, which can still change. */
  move(slots: number, recent: History): void {
    const { value } = this.history;
    const moved = LISTS.map((list) => {
      const old: readonly number[] = value[list];
      const all = [...old.slice(slots), ...Array<number>(Math.min(slots, old.length)).fill(0)];
      const newest = recent[list].slice(-all.length);
      return [list, [...all.slice(0, all.length - newest.length), ...newest]] as const;
    });
    this.history.value = { step: value.step, ...(Object.fromEntries(moved) as Omit<History, 'step'>) };
  }
}
