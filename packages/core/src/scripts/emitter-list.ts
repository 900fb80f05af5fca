// Generated from the files lua.mjs by scripts/embed-lua.mjs: do not edit.
import type { Emitter } from '../algorithms/emitter.js';
import { emitPermits, emitWaitingPermits } from '../algorithms/concurrency/permits-emitter.js';
import { emitFixedWindow } from '../algorithms/fixed-window/fixed-window-emitter.js';
import { emitSlots } from '../algorithms/sliding-window/slots-emitter.js';
import { emitLog } from '../algorithms/sliding-window/log-emitter.js';
import { emitTokenBucket } from '../algorithms/token-bucket/token-bucket-emitter.js';

/** What writes the Lua of a policy, by its path. */
export const emitters: Readonly<Partial<Record<string, Emitter<never>>>> = {
  cc: emitPermits,
  cw: emitWaitingPermits,
  fw: emitFixedWindow,
  sw: emitSlots,
  log: emitLog,
  tb: emitTokenBucket,
};
