/** What a permit is held for, such as a request. The store asks it at each renewal. */
export interface Holder {
  /**
   * Looks whether it still runs, because an event that should tell its end may never come: `left` if its client has left
   * while its work goes on. One that is `over` has released what it held.
   */
  look(): 'running' | 'left' | 'over';
  /** A permit of it was released, although its work goes on. @param tier of the permit */
  onAbandoned(tier: string): void;
}

/**
 * Holds permits outside of this process, which then neither renews nor releases them: they end by a call from anywhere, or when
 * nobody has renewed them for `hold`.
 */
export const ELSEWHERE: Holder = Object.freeze({ look: () => 'over' as const, onAbandoned: () => {} });
