import { warn } from '../../events/warning.js';

/** The windows of a tier, in the options that an algorithm has accepted. */
interface Windows {
  readonly window?: unknown;
  readonly windows?: readonly Windows[];
}

/** Warns of a number that is milliseconds and may mean seconds, as in other rate limiters. */
export function warnOfWindowUnit(owner: string, tier: object): void {
  const { window, windows = [] } = tier as Windows;
  const short = [window, ...windows.map((each) => each.window)].find(isShort);
  if (short === undefined) return;
  warn(
    'SLUICE_WINDOW_IN_MILLISECONDS',
    `${owner}: window is ${short} milliseconds: write '${short}s' for seconds, or '${short}ms' if you mean it`,
  );
}

function isShort(window: unknown): window is number {
  return typeof window === 'number' && window < 1_000;
}
