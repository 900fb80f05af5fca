import type { ExportLock, LockChange } from '../../stores/usage-ledger.js';

interface Exports {
  readonly holder: string | undefined;
  readonly number: number;
  /** When the last completed export of each scope began. */
  readonly completed: ReadonlyMap<string, number>;
}

/** The locks of exports of usage in this process, by prefix. `lock-usage.lua` does the same. */
export class ExportLocks {
  readonly #exports = new Map<string, Exports>();

  /** @param now milliseconds */
  change(prefix: string, { holder, scope, milliseconds, completed = 0 }: LockChange, now: number): ExportLock {
    const before = this.#exports.get(prefix) ?? { holder: undefined, number: 0, completed: new Map<string, number>() };
    const last = before.completed.get(scope) ?? 0;
    if (before.holder !== undefined && before.holder !== holder) return { number: 0, completed: last, now };
    const isNew = before.holder === undefined && milliseconds > 0;
    // The time, so that a later process has a higher number.
    const number = isNew ? Math.max(before.number + 1, Math.floor(now)) : before.number;
    const latest = Math.max(last, completed);
    this.#exports.set(prefix, {
      holder: milliseconds > 0 ? holder : undefined,
      number,
      completed: new Map(before.completed).set(scope, latest),
    });
    return { number, completed: latest, now };
  }
}
