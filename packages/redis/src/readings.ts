import { algorithmOf, type Claim, type Reading } from '@sluice/core/internal';
import { unreadableKey } from './connection/classify-error.js';
import { parseReply, timeOf, type ReplyItem } from './encoding/script-request.js';

/**
 * The reply of states.lua, which has a reading for each key.
 *
 * @param besides the keys of the numbers beside the states
 * @throws StoreError for a key that cannot be read
 */
export function readingsOf(reply: unknown, claims: readonly Claim[], besides: readonly string[]): readonly Reading[] {
  const [now, ...items] = parseReply(reply);
  const beside = new Map(besides.map((key, place) => [key, numbersIn(String(items[claims.length + place]))]));
  return claims.map((claim, place) => ({ now: timeOf([now!]), state: stateOf(items[place]!, claim), beside }));
}

/** What another program has stored there is no number. */
function numbersIn(text: string): readonly number[] {
  return /^\d+( \d+)*$/.test(text) ? text.split(' ').map(Number) : [];
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
