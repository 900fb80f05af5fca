import type { StopSignal } from '../model/patience.js';

const callbacksBySignal = new WeakMap<StopSignal, Set<() => void>>();

/**
 * Calls back when a signal fires: immediately if it has fired. A signal gets one listener for all callbacks, because
 * Node warns of more than ten.
 *
 * @returns takes the callback back
 */
export function onAbort(signal: StopSignal | undefined, callback: () => void): () => void {
  if (signal?.aborted) callback();
  if (signal === undefined || signal.aborted) return () => {};
  const callbacks = callbacksBySignal.get(signal) ?? new Set();
  if (!callbacksBySignal.has(signal)) {
    callbacksBySignal.set(signal, callbacks);
    signal.addEventListener('abort', () => {
      for (const each of callbacks) each();
    });
  }
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}
