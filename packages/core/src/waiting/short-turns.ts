/** So many items in one turn of the event loop. */
const TOGETHER = 250;

/** Calls back for each item, in turns of the event loop that are short. */
export async function inShortTurns<T>(items: readonly T[], callback: (item: T) => void): Promise<void> {
  for (let first = 0; first < items.length; first += TOGETHER) {
    if (first > 0) await nextTurn();
    for (const item of items.slice(first, first + TOGETHER)) callback(item);
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
