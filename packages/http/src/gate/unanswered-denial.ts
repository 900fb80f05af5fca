import { warn } from '@sluice/core/internal';

/** Milliseconds after which a client probably waits in vain. */
const LONG_MS = 5_000;

/** One at a time, because under attack nearly all requests are denied, and every denial shows the same mistake. */
let isWatching = false;

/** How `onDenied` answers on a framework. */
export interface DenialAnswer {
  /** True if nothing is left to do: the response has begun, its client has left, or another handler answers. */
  readonly isOver: () => boolean;
  /** The end of the warnings, which says what to write. */
  readonly remedy: string;
}

/** Warns of a result of `onDenied` that its framework does not send. */
export function warnOfUnsentResult(framework: string, { remedy }: DenialAnswer): void {
  warn(
    'SLUICE_DENIAL_UNANSWERED',
    `rateLimit: onDenied has returned a value, which ${framework} does not send, and its client waits: ${remedy}`,
  );
}

/** Warns of an `onDenied` that has returned without an answer, unless it answers within five seconds. */
export function watchDenial({ isOver, remedy }: DenialAnswer): void {
  if (isWatching || isOver()) return;
  isWatching = true;
  const inspect = (): void => {
    isWatching = false;
    if (isOver()) return;
    warn(
      'SLUICE_DENIAL_UNANSWERED',
      `rateLimit: onDenied has not answered within ${LONG_MS / 1_000} seconds, and its client waits: ${remedy}`,
    );
  };
  setTimeout(inspect, LONG_MS).unref();
}
