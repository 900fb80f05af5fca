import {
  type ExportLock,
  hourOf,
  KEPT_HOURS,
  type MarkedUnits,
  type OpenHour,
  type OpenUsage,
  type OpenUsagePage,
} from '@sluice/core/internal';

/** The fields of usage, by their names. */
type Fields = ReadonlyMap<string, string>;

/** The arguments of mark-usage.lua. */
export function markArguments(marked: readonly MarkedUnits[]): (string | number)[] {
  return marked.flatMap(({ hour, units, before }) => [hour, units, before]);
}

/** The reply of read-usage.lua. */
export function usageReading(reply: unknown): { readonly now: number; readonly usage: readonly Fields[] } {
  const [now, ...usage] = reply as [unknown, ...(readonly unknown[])[]];
  return { now: millisecondsIn(now), usage: usage.map(fieldsIn) };
}

/** The units of each hour that a store keeps. @param now milliseconds since 1970 */
export function unitsByHour(usage: readonly Fields[], now: number): ReadonlyMap<number, number> {
  const oldest = hourOf(now * 1e3) - KEPT_HOURS;
  const units = new Map<number, number>();
  for (const [name, value] of usage.flatMap((fields) => [...fields])) {
    const hour = Number(name.replace(/^x/, ''));
    if (hour > oldest) units.set(hour, (units.get(hour) ?? 0) + Number(value));
  }
  return units;
}

/** What is open of whole usage. @param now milliseconds since 1970 */
export function openIn(key: string, fields: Fields, now: number): OpenUsage {
  const oldest = hourOf(now * 1e3) - KEPT_HOURS;
  const hours = [...fields].flatMap(([name, open]): readonly OpenHour[] =>
    Number(name) > oldest
      ? [{ hour: Number(name), open: Number(open), exported: Number(fields.get(`x${name}`) ?? 0) }]
      : [],
  );
  return { key, label: fields.get('label'), hours };
}

/** The reply of read-open-usage.lua. */
export function openUsagePage(reply: unknown, keys: readonly string[]): OpenUsagePage {
  const [now, ...found] = reply as [unknown, ...(readonly unknown[])[]];
  const usage = found.map(([label, ...numbers], place) => ({
    key: keys[place]!,
    label: String(label) === '' ? undefined : String(label),
    hours: hoursIn(numbers.map((each) => Number(String(each)))),
  }));
  return { now: millisecondsIn(now), usage };
}

function hoursIn(numbers: readonly number[]): readonly OpenHour[] {
  const hours: OpenHour[] = [];
  for (let at = 0; at < numbers.length; at += 3) {
    hours.push({ hour: numbers[at]!, open: numbers[at + 1]!, exported: numbers[at + 2]! });
  }
  return hours;
}

/** The reply of list-open-usage.lua. */
export function openUsageList(reply: unknown): { readonly isScanned: boolean; readonly usage: readonly Listed[] } {
  const [isScanned, page] = reply as [unknown, readonly unknown[]];
  const usage: Listed[] = [];
  for (let at = 0; at < page.length; at += 2)
    usage.push({ key: String(page[at]), oldest: Number(String(page[at + 1])) });
  return { isScanned: Number(isScanned) === 1, usage };
}

/** Usage that is open from an hour on. */
export interface Listed {
  readonly key: string;
  readonly oldest: number;
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

function fieldsIn(fields: readonly unknown[]): Fields {
  const found = new Map<string, string>();
  for (let place = 0; place < fields.length; place += 2) found.set(String(fields[place]), String(fields[place + 1]));
  return found;
}

function millisecondsIn(microseconds: unknown): number {
  return Number(String(microseconds)) / 1e3;
}
