import type { Policy } from '../model/policy.js';
import { algorithmOf } from '../algorithms/algorithm.js';
import type { Emitter } from '../algorithms/emitter.js';
import { emitters } from './scripts.js';

/**
 * What writes the Lua of a policy; undefined where no script is made for it. An algorithm that a program imports brings its
 * own.
 */
export function emitterOf(policy: Policy): Emitter<Policy> | undefined {
  const { packing } = algorithmOf(policy);
  const path = packing?.path(policy);
  if (path === undefined) return undefined;
  return (emitters[path] as Emitter<Policy> | undefined) ?? packing?.emit?.bind(packing);
}

/** What the script of a policy replies with for each key. */
export interface ReplyShape {
  /** How many numbers. */
  readonly width: number;
  /** The counts of a ring, which the numbers are; 0 where they are another state. */
  readonly ring: number;
}

export function replyShapeOf(policy: Policy): ReplyShape {
  const { reply = ['$found'], ring } = emitterOf(policy)!(policy, false);
  return ring === undefined ? { width: reply.length, ring: 0 } : { width: ring + 2, ring };
}
