import { algorithmOf, type Claim, type Reading } from '@sluice/core/internal';
import { unreadableKey } from './connection/classify-error.js';
import { parseReply, timeOf, type ReplyItem } from './encoding/script-request.js';

/** The reply of states.lua, which has a reading for each key. @throws StoreError for a key that cannot be read */
export function readingsOf(reply: unknown, claims: readonly Claim[]): readonly Reading[] {
  const [now, ...states] = parseReply(reply);
  return states.map((state, index) => ({ now: timeOf([now!]), state: stateOf(state, claims[index]!) }));
}

function stateOf(item: ReplyItem, { policy }: Claim): unknown {
  if (typeof item === 'string') throw unreadableKey(item);
  const [form, entries] = item as readonly ReplyItem[];
  if (form === undefined) return undefined;
  if (typeof form !== 'string') {
    const numbers = (item as readonly ReplyItem[]).map(Number);
    return algorithmOf(policy).revive(numbers);
  }
  // The key of an empty list or set does not exist.
  if ((entries as readonly ReplyItem[]).length === 0) return undefined;
  return algorithmOf(policy).revive({
    [form]: form === 'log' ? entries : pairsOf(entries as readonly ReplyItem[]),
  });
}

/** A sorted set: its members, each with its score. */
function pairsOf(items: readonly ReplyItem[]): readonly (readonly [string, number])[] {
  return items.flatMap((item, index) => (index % 2 === 0 ? [[String(item), Number(items[index + 1])] as const] : []));
}
