import { hourOf, KEPT_HOURS } from '../../model/usage.js';
import type { ExportLock, HourUnits, MarkedUnits, UsageReading } from '../usage-ledger.js';

/** The arguments of mark-usage.lua. */
export function markArguments(marked: readonly MarkedUnits[]): (string | number)[] {
  return marked.flatMap(({ hour, units, before }) => [hour, units, before]);
}

/** The reply of read-usage.lua: hours that are older than those that a store keeps are left out. */
export function usageReading(reply: unknown): UsageReading {
  const [time, ...hashes] = reply as [unknown, ...(readonly unknown[])[]];
  const now = Number(String(time)) / 1e3;
  return { now, hours: hashes.map((fields) => hoursIn(fields, hourOf(now * 1e3) - KEPT_HOURS)) };
}

function hoursIn(fields: readonly unknown[], oldest: number): ReadonlyMap<number, HourUnits> {
  const hours = new Map<number, HourUnits>();
  for (let place = 0; place < fields.length; place += 2) {
    const name = String(fields[place]);
    const units = Number(String(fields[place + 1]));
    const isExported = name.startsWith('x');
    const hour = Number(isExported ? name.slice(1) : name);
    if (!(hour > oldest)) continue;
    const known = hours.get(hour) ?? { open: undefined, exported: 0 };
    hours.set(hour, isExported ? { ...known, exported: units } : { ...known, open: units });
  }
  return hours;
}

/** The pattern of the keys of the usage of keys that begin and end so, for MATCH. */
export function usagePattern(begin: string, end: string): string {
  return `${literal(begin)}*${literal(end)}:usage`;
}

function literal(text: string): string {
  return text.replaceAll(/[*?[\]\\]/g, String.raw`\$&`);
}

/** The keys that have the usage of these keys. */
export function ownersOf(keys: readonly unknown[]): readonly string[] {
  return keys.map((key) => String(key).slice(0, -':usage'.length));
}

/** The keys of lock-usage.lua under a prefix. */
export function lockKeys(prefix: string): readonly string[] {
  return ['lock', 'exports'].map((name) => `${prefix}:{~usage}:${name}`);
}

/** The reply of lock-usage.lua. */
export function exportLock(reply: unknown): ExportLock {
  const [number, completed, now] = (reply as readonly unknown[]).map(Number);
  return { number: number!, completed: completed!, now: now! };
}
