/** Node ends a longer timer immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back when a wait has lost its reason: immediately if that has happened. It returns a function that ends the
 * subscription.
 */
export type Listen = (callback: () => void) => () => void;

/** Resolves after so many milliseconds, or when the wait has lost its reason. @returns true if the time has passed */
export function sleep(milliseconds: number, onLeave: Listen): Promise<boolean> {
  return new Promise((resolve) => {
    const onTime = () => {
      stopListening();
      resolve(true);
    };
    const timer = setTimeout(onTime, Math.min(milliseconds, MAX_TIMER_MS));
    const stopListening = onLeave(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
