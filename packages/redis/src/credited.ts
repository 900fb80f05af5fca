import type { Credit, Credited } from '@sluice/core/internal';
import { unreadableKey } from './connection/classify-error.js';
import { parseReply } from './encoding/script-request.js';

/** A credit as credit.lua reads it. */
export function creditArguments({
  units,
  id,
  expiresAt = 0,
  order = 50,
  tells,
  note = '',
}: Credit): (string | number)[] {
  return [units, id, expiresAt, order, tells === true ? 1 : 0, note];
}

/** The reply of credit.lua. Undefined where the balance would hold too much. @throws StoreError for a key that cannot be read */
export function creditedBy(reply: unknown, added: Credit): Credited | undefined {
  const [balance, ...facts] = parseReply(reply) as readonly [number | string, ...number[]];
  if (typeof balance === 'string') throw unreadableKey(balance);
  if (balance === TOO_MUCH) return undefined;
  if (balance === TOO_MANY)
    return { balance: 0, isNew: false, units: 0, full: { endsAt: facts[0]!, units: facts[1]! } };
  const [isNew, units, rest, low, posted, ...postings] = facts;
  return {
    balance,
    isNew: isNew === 1,
    units: units === 0 && added.units !== 0 ? undefined : units!,
    ...(rest! > 0 && { rest: rest! }),
    ...(added.tells === true && { low: low! }),
    ...(posted !== undefined && { posted, postings: postings.map(String) }),
  };
}

const TOO_MUCH = -1;
const TOO_MANY = -2;
