import { type Claim, definePolicy } from '@sluice/core/internal';
import type { ScriptCall } from '../client/run-script.js';
import type { CallRequest } from './call.js';

/**
 * The claim of a probe. A probe runs the real script, because a read-only server, a full one or a replica still answers
 * PING. Its key expires after a second.
 */
export const PROBE_CLAIM: Claim = {
  tier: 'probe',
  key: '{probe}',
  policy: definePolicy({ algorithm: 'fixed-window', limit: 1_000_000, window: '1s' }),
  cost: 1,
  shadow: false,
  record: undefined,
};

/**
 * A call of `script` on a key next to `key`: it has the same prefix, because the user may have no rights beyond it, and
 * the same slot.
 */
export function probeCall({ script, args }: ScriptCall, key: string): CallRequest {
  const end = key.indexOf('}');
  const prefix = end < 0 ? `{${key}}` : key.slice(0, end + 1);
  const ignore = () => undefined;
  const call = { script, keys: [`${prefix}:probe`], args };
  return { encode: () => call, groups: 0, decode: ignore, resolve: ignore, reject: ignore };
}
