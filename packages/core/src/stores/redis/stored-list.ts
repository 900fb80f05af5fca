import type { StoredItem, StoredList } from '../store.js';

/** The reply of read-list.lua. */
export function storedList([now, version = '0', ...fields]: readonly string[]): StoredList {
  const isKnown = fields.length === 0 && version !== '0';
  if (isKnown) return { now: Number(now), version };
  const items: StoredItem[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const [name, value] = [fields[at]!, fields[at + 1]!];
    const [until = '0'] = value.split(' ', 1);
    if (name !== 'version') items.push({ name, until: Number(until), note: value.slice(until.length + 1) });
  }
  return { now: Number(now), version, items };
}
