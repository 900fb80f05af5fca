import type { ListChange, ListChanged, ListPage, LostItems, StoredItem } from '@sluice/core/internal';

/** The log of the changes of a list, in the same slot. */
export function listKeys(key: string): readonly string[] {
  return [key, `${key}-log`];
}

/** The reply of read-list.lua. */
export function listPage(reply: unknown): ListPage {
  const [now, epoch, version, floor, isRestoring, hasMore, added, removed, ...texts] = reply as readonly string[];
  const from = { epoch: Number(epoch), added: Number(added), removed: Number(removed) };
  const last = { added: from.added, removed: from.removed };
  const items = texts.map((text) => {
    const distance = Number.parseInt(text, 10);
    const kind = distance < 0 ? 'removed' : 'added';
    last[kind] = from[kind] + Math.abs(distance);
    return storedItem(text.slice(text.indexOf(' ') + 1), last[kind], kind === 'removed');
  });
  const isAtEnd = hasMore !== '1';
  const end = isAtEnd ? { added: Number(version), removed: Number(version) } : last;
  return {
    now: Number(now),
    from,
    position: { epoch: from.epoch, ...end },
    floor: Number(floor),
    hasMore: !isAtEnd,
    isRestoring: isRestoring === '1',
    items,
  };
}

/** @param text its name, and for one that is on the list its end and its note */
function storedItem(text: string, number: number, isRemoved: boolean): StoredItem {
  if (isRemoved) return { name: text, number, until: undefined, note: '' };
  const nameEnd = text.indexOf(' ');
  const untilEnd = text.indexOf(' ', nameEnd + 1);
  // Without an end another program has deleted the field.
  const until = untilEnd < 0 ? undefined : Number(text.slice(nameEnd + 1, untilEnd));
  return { name: text.slice(0, nameEnd), number, until, note: untilEnd < 0 ? '' : text.slice(untilEnd + 1) };
}

/** The arguments of change-list.lua. */
export function changeArguments(changes: readonly ListChange[], most: number): (string | number)[] {
  const durations = { leaves: -1, ends: -2 };
  return [
    most,
    ...changes.flatMap(({ name, duration, note }) => [
      name,
      typeof duration === 'string' ? durations[duration] : duration,
      note,
    ]),
  ];
}

/** The reply of change-list.lua. */
export function listChanged(reply: unknown): ListChanged | undefined {
  const [now, before] = reply as readonly string[];
  return now === undefined ? undefined : { now: Number(now), number: Number(before) + 1 };
}

/** The arguments of restore-list.lua. */
export function restoreArguments({ restorer, floor, items }: LostItems): (string | number)[] {
  return [
    restorer,
    floor ?? '',
    ...items.flatMap(({ name, number, until, note }) => [
      name,
      until === undefined ? -number : number,
      until ?? 0,
      note,
    ]),
  ];
}
