import {
  earlierUsageKey,
  type ExportLock,
  type LockChange,
  type MarkedUnits,
  type OpenUsagePage,
  usageKey,
  type UsageLedger,
} from '@sluice/core/internal';
import { scripts } from '@sluice/core/scripts';
import { OpenUsageReader } from './open-usage.js';
import type { ScriptCalls } from './script-calls.js';
import { exportLock, lockKeys, markArguments, unitsByHour, usageReading } from './stored-usage.js';

/** The usage that scripts count with their charges. */
export class RedisUsage implements UsageLedger {
  readonly #calls: ScriptCalls;
  readonly #open: OpenUsageReader;

  constructor(calls: ScriptCalls) {
    this.#calls = calls;
    this.#open = new OpenUsageReader(calls);
  }

  async read(keys: readonly string[]): Promise<readonly ReadonlyMap<number, number>[]> {
    this.#calls.flush();
    const units = new Map<string, ReadonlyMap<number, number>>();
    const read = async (part: readonly { readonly key: string }[]) => {
      const places = part.flatMap(({ key }) => [usageKey(key), earlierUsageKey(key)]);
      const { now, usage } = usageReading(await this.#calls.runAside(scripts['read-usage'], places));
      for (const [place, { key }] of part.entries())
        units.set(key, unitsByHour(usage.slice(2 * place, 2 * place + 2), now));
    };
    await Promise.all(this.#calls.split(keys.map((key) => ({ key }))).map(read));
    return keys.map((key) => units.get(key)!);
  }

  open(prefix: string): AsyncIterable<OpenUsagePage> {
    return this.#open.pages(prefix);
  }

  async mark(units: readonly MarkedUnits[]): Promise<void> {
    const mark = (part: readonly MarkedUnits[]) => {
      const keys = part.map(({ key }) => key);
      return this.#calls.runAside(scripts['mark-usage'], keys, markArguments(part));
    };
    await Promise.all(this.#calls.split(units).map(mark));
  }

  async lock(prefix: string, change: LockChange): Promise<ExportLock> {
    const { holder, scope, milliseconds, completed = 0 } = change;
    const args = [holder, scope, milliseconds, Math.floor(completed)];
    return exportLock(await this.#calls.runAside(scripts['lock-usage'], lockKeys(prefix), args));
  }
}
