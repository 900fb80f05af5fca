import { onAbort } from './on-abort.js';
import type { StopSignal } from '../model/stop-signal.js';

/** Node ends a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Resolves after so many milliseconds, or when the signal fires. @returns true if the time has passed */
export function sleep(milliseconds: number, signal?: StopSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve(false);
      return;
    }
    const end = (hasPassed: boolean) => {
      clearTimeout(timer);
      stopListening();
      resolve(hasPassed);
    };
    const timer = setTimeout(() => end(true), Math.min(milliseconds, MAX_TIMER_MS));
    const stopListening = onAbort(signal, () => end(false));
  });
}
