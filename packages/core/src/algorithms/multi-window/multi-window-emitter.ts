import type { Emitter } from '../emitter.js';
import { emitRing } from '../sliding-window/ring-emitter.js';
import type { MultiWindowPolicy } from './multi-window.js';

/** Several windows over one ring. */
export const emitMultiWindow: Emitter<MultiWindowPolicy> = (policy) => emitRing(policy, policy.windows);
