import type { ExportLock, LockChange } from '@sluice/core/internal';

interface Exports {
  /** Undefined where no process has the lock. */
  readonly holder: string | undefined;
  /** When its lock ends. */
  readonly until: number;
  readonly number: number;
  /** When the last completed export of each scope began. */
  readonly completed: ReadonlyMap<string, number>;
}

/** The locks of exports of usage in this process, by prefix. `lock-usage.lua` does the same. */
export class ExportLocks {
  readonly #exports = new Map<string, Exports>();

  /** @param now milliseconds */
  change(prefix: string, { holder, scope, milliseconds, completed = 0 }: LockChange, now: number): ExportLock {
    const before = this.#exports.get(prefix) ?? { holder: undefined, until: 0, number: 0, completed: new Map() };
    const isHeld = before.holder !== undefined && before.until >= now;
    const last = before.completed.get(scope) ?? 0;
    if (isHeld && before.holder !== holder) return { number: 0, completed: last, now };
    // The time, so that a later process has a higher number.
    const number = isHeld || milliseconds === 0 ? before.number : Math.max(before.number + 1, Math.floor(now));
    const latest = Math.max(last, completed);
    this.#exports.set(prefix, {
      holder: milliseconds > 0 ? holder : undefined,
      until: now + milliseconds,
      number,
      completed: new Map(before.completed).set(scope, latest),
    });
    return { number, completed: latest, now };
  }
}
