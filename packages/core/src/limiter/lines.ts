import { onAbort } from './on-abort.js';
import type { StopSignal } from '../model/stop-signal.js';

/** Lines of waiting work, one for each key, in the order of arrival. */
export class Lines {
  /** What calls each piece of work, but the first, which has its turn. */
  readonly #lines = new Map<string, Set<() => void>>();

  isEmpty(key: string): boolean {
    return !this.#lines.has(key);
  }

  /**
   * Waits for the turn of some work, at most so many milliseconds and until the signal fires.
   *
   * @returns true when all that have entered before have left: then this has to leave too
   */
  async enter(key: string, milliseconds: number, signal?: StopSignal): Promise<boolean> {
    const line = this.#lines.get(key);
    if (line === undefined) {
      this.#lines.set(key, new Set());
      return true;
    }
    if (signal?.aborted) return false;
    return new Promise((resolve) => {
      const end = (hasTurn: boolean) => {
        clearTimeout(timer);
        stopListening();
        line.delete(begin);
        resolve(hasTurn);
      };
      const begin = () => end(true);
      const giveUp = () => end(false);
      const timer = setTimeout(giveUp, milliseconds);
      const stopListening = onAbort(signal, giveUp);
      line.add(begin);
    });
  }

  leave(key: string): void {
    const [next] = this.#lines.get(key)!;
    if (next) next();
    else this.#lines.delete(key);
  }
}
