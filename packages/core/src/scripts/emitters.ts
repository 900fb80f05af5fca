import type { Policy } from '../model/policy.js';
import { algorithmOf } from '../algorithms/algorithm.js';
import type { FastPath } from '../algorithms/algorithm.js';
import { emitPermits, emitWaitingPermits } from '../algorithms/concurrency/permits-emitter.js';
import type { Emitter } from '../algorithms/emitter.js';
import { emitFixedWindow } from '../algorithms/fixed-window/fixed-window-emitter.js';
import { emitLog } from '../algorithms/sliding-window/log-emitter.js';
import { emitSlots } from '../algorithms/sliding-window/slots-emitter.js';
import { emitTokenBucket } from '../algorithms/token-bucket/token-bucket-emitter.js';

const emitters: Readonly<Partial<Record<FastPath, Emitter<never>>>> = {
  fw: emitFixedWindow,
  sw: emitSlots,
  log: emitLog,
  tb: emitTokenBucket,
  cc: emitPermits,
  cw: emitWaitingPermits,
};

/**
 * What writes the Lua of a policy; undefined where no script is made for it. The emitters of core are listed beside the scripts
 * that they are for, so that no program in memory loads them. An algorithm that a program imports brings its own.
 */
export function emitterOf(policy: Policy): Emitter<Policy> | undefined {
  const { packing } = algorithmOf(policy);
  const path = packing?.path(policy);
  if (path === undefined) return undefined;
  return (emitters[path] as Emitter<Policy> | undefined) ?? packing?.emit?.bind(packing);
}
