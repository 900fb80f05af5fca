import type { Policy } from '../model/policy.js';
import { algorithmOf } from './algorithm.js';
import type { FastPath } from './algorithm.js';
import { emitPermits, emitWaitingPermits } from './concurrency/permits-emitter.js';
import type { Emitter } from './emitter.js';
import { emitFixedWindow } from './fixed-window/fixed-window-emitter.js';
import { emitLog } from './sliding-window/log-emitter.js';
import { emitSlots } from './sliding-window/slots-emitter.js';
import { emitTokenBucket } from './token-bucket/token-bucket-emitter.js';

const emitters: Readonly<Partial<Record<FastPath, Emitter<never>>>> = {
  fw: emitFixedWindow,
  sw: emitSlots,
  log: emitLog,
  tb: emitTokenBucket,
  cc: emitPermits,
  cw: emitWaitingPermits,
};

/** Writes the Lua of policies like this one; undefined where no script is made for them. Programs in memory load none. */
export function emitterOf(policy: Policy): Emitter<Policy> | undefined {
  const { packing } = algorithmOf(policy);
  const path = packing?.path(policy);
  if (path === undefined) return undefined;
  return (emitters[path] as Emitter<Policy> | undefined) ?? packing?.emit?.bind(packing);
}
