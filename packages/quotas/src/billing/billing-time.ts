import { setTimeout } from 'node:timers/promises';

/** The clock of this process, and how it waits. */
export interface BillingTime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

export const realTime: BillingTime = {
  now: () => Date.now(),
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal, ref: false }),
};
