import type { Holder } from './holder.js';

/**
 * Holds permits outside of this process, which then neither renews nor releases them: they end by a call from anywhere, or when
 * nobody has renewed them for `hold`.
 */
export const ELSEWHERE: Holder = Object.freeze({ look: () => 'over' as const, onAbandoned: () => {} });
