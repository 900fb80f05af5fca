import { signal } from '@preact/signals';
import type { Tail, TailEntry } from '../src/messages.ts';

/** A decision, with the time of this computer. */
export interface TailRow extends TailEntry {
  readonly id: number;
  readonly time: number;
}

const ROWS = 100;

/** The newest decisions, newest first. */
export const tail = {
  rows: signal<readonly TailRow[]>([]),
  dropped: signal(0),
  isPaused: signal(false),
};

let id = 0;

export function addToTail({ entries, dropped }: Tail): void {
  if (tail.isPaused.value) return;
  const now = Date.now();
  const rows = entries.map((entry) => ({ ...entry, id: (id += 1), time: now - entry.age }));
  tail.rows.value = [...rows.toReversed(), ...tail.rows.value].slice(0, ROWS);
  tail.dropped.value = dropped;
}
