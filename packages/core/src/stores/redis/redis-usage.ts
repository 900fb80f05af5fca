import type { ExportLock, HourUnits, LockChange, MarkedUnits, UsageLedger, UsageReading } from '../usage-ledger.js';
import { besideKey } from './encoding/beside-key.js';
import { scripts } from './lua/scripts.js';
import type { ScriptCalls } from './script-calls.js';
import { exportLock, lockKeys, markArguments, ownersOf, usagePattern, usageReading } from './stored-usage.js';

/** The usage that scripts count with their charges. */
export class RedisUsage implements UsageLedger {
  readonly #calls: ScriptCalls;

  constructor(calls: ScriptCalls) {
    this.#calls = calls;
  }

  async read(keys: readonly string[]): Promise<UsageReading> {
    this.#calls.flush();
    const hours = new Map<string, ReadonlyMap<number, HourUnits>>();
    let earliest = Infinity;
    const read = async (part: readonly { readonly key: string }[]) => {
      const reply = await this.#calls.runAside(scripts['read-usage'], usageKeysOf(part));
      const { now, hours: found } = usageReading(reply);
      earliest = Math.min(earliest, now);
      for (const [index, { key }] of part.entries()) hours.set(key, found[index]!);
    };
    await Promise.all(this.#calls.split(keys.map((key) => ({ key }))).map(read));
    return { now: earliest, hours: keys.map((key) => hours.get(key)!) };
  }

  async *keys(begin: string, end: string): AsyncGenerator<readonly string[]> {
    const tags = this.#calls.isCluster ? this.#calls.tagsOfPrimaries() : ['~usage'];
    for (const tag of tags) {
      let cursor = '0';
      do {
        const key = `${begin}{${tag}}`;
        const args = [cursor, usagePattern(begin, end), key];
        const reply = await this.#calls.runAside(scripts['scan-usage'], [key], args);
        const [next, keys] = reply as [unknown, unknown[]];
        cursor = String(next);
        if (keys.length > 0) yield ownersOf(keys);
      } while (cursor !== '0');
    }
  }

  async mark(units: readonly MarkedUnits[]): Promise<void> {
    const mark = (part: readonly MarkedUnits[]) =>
      this.#calls.runAside(scripts['mark-usage'], usageKeysOf(part), markArguments(part));
    await Promise.all(this.#calls.split(units).map(mark));
  }

  async lock(prefix: string, change: LockChange): Promise<ExportLock> {
    const { holder, scope, milliseconds, completed = 0 } = change;
    const args = [holder, scope, milliseconds, Math.floor(completed)];
    return exportLock(await this.#calls.runAside(scripts['lock-usage'], lockKeys(prefix), args));
  }
}

function usageKeysOf(owners: readonly { readonly key: string }[]): readonly string[] {
  return owners.map(({ key }) => besideKey(key, 'usage'));
}
