import type { Credited } from '@sluice/core/internal';
import { unreadableKey } from './connection/classify-error.js';
import { parseReply } from './encoding/script-request.js';

/** The reply of credit.lua. Undefined where the balance would hold too much. @throws StoreError for a key that cannot be read */
export function creditedBy(reply: unknown): Credited | undefined {
  const [balance, isNew, units] = parseReply(reply) as [number | string, number, number];
  if (typeof balance === 'string') throw unreadableKey(balance);
  return balance < 0 ? undefined : { balance, isNew: isNew === 1, units: units < 0 ? undefined : units };
}
