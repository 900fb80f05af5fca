import { Permits } from '../../algorithms/concurrency/permits.js';
import { Stamps } from '../../algorithms/sliding-window-log/stamps.js';
import type { Reading } from '../store.js';
import { unreadableKey } from './connection/redis-error.js';
import { parseReply, timeOf, type ReplyItem } from './encoding/script-request.js';

/** The reply of states.lua: a reading for each key. @throws StoreError for a key that cannot be read */
export function readingsOf(reply: unknown): readonly Reading[] {
  const [now, ...states] = parseReply(reply);
  return states.map((state) => ({ now: timeOf([now!]), state: stateOf(state) }));
}

function stateOf(item: ReplyItem): unknown {
  if (typeof item === 'string') throw unreadableKey(item);
  const numbers = item as readonly ReplyItem[];
  if (numbers.length === 0) return undefined;
  if (numbers[0] === 'permits') return permitsOf(numbers[1] as readonly ReplyItem[]);
  if (numbers[0] !== 'log') return numbers.map(Number);
  const stamps = numbers[1] as number[];
  // The key of an empty list does not exist.
  return stamps.length === 0 ? undefined : new Stamps(stamps, 0, stamps.length);
}

function permitsOf(items: readonly ReplyItem[]): Permits | undefined {
  if (items.length === 0) return undefined;
  return new Permits(
    items.flatMap((item, index) => (index % 2 === 0 ? [[String(item), Number(items[index + 1])] as const] : [])),
  );
}
