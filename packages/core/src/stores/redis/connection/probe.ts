import { definePolicy } from '../../../algorithms/policy-options.js';
import type { Claim } from '../../../model/claim.js';
import { Deferred } from '../../../async/deferred.js';
import type { Answer } from '../../store.js';
import { Batch } from '../batch/batch.js';
import type { CallRequest } from './call.js';

/** It is gone a second later. */
const POLICY = definePolicy({ algorithm: 'fixed-window', limit: 1_000_000, window: '1s' });

/**
 * A call that nobody waits for: the real script, for a server that answers PING may be read-only, full or a replica.
 *
 * @param key a key beside which the canary sits: with the same prefix, which may be all that we are allowed, and in the
 *   same slot
 */
export function canary(key: string, now: number): CallRequest {
  const end = key.indexOf('}');
  const place = end < 0 ? `{${key}}` : key.slice(0, end + 1);
  const claim: Claim = {
    tier: 'canary',
    key: `${place}:canary`,
    policy: POLICY,
    cost: 1,
    shadow: false,
    countDenied: false,
    record: undefined,
  };
  const call = new Batch(now);
  const ignore = () => undefined;
  call.add({ group: [claim], isPeek: false, answer: new Deferred<Answer>() });
  const { script, keys, arguments: args } = call;
  return { script, keys, arguments: args, groups: 0, asked: now, answer: ignore, fail: ignore };
}
