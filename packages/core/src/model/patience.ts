import type { StopSignal } from './stop-signal.js';

/** How a request waits. */
export interface Patience {
  /** In milliseconds. @default as long as the policies say */
  readonly wait?: number | undefined;
  /** Ends the wait. */
  readonly signal?: StopSignal | undefined;
  /** Others of its caller wait behind it in a line of their own. */
  readonly hasOthers?: boolean | undefined;
}
