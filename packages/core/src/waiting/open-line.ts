import type { Checked, Work } from './work.js';

/** Work that waits for units of one key. */
export interface OpenLine<T extends Checked> {
  readonly size: number;
  /**
   * The answer to work that has its turn, or whose denial ends its wait. Undefined for work that has left.
   *
   * @param denial of a check that was sent before, so that the first in line pauses now
   */
  enter(work: Work<T>, denial?: T): Promise<T | undefined>;
  /** The pieces of work of a caller that wait for their check. It is 0 if callers take no turns. */
  sizeOf(caller: string): number;
  /** Has the first in line ask now, because something was released. */
  wake(): void;
  /** Has all work leave, and none of it has a turn. It resolves when all are answered, in turns of the event loop that are short. */
  close(): Promise<void>;
  /** Has some of the work leave. */
  leave(isTheirs: (work: Work<T>) => boolean): Promise<void>;
}
