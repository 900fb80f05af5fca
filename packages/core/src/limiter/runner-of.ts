import type { Decision } from '../model/decision.js';
import type { Lines } from '../waiting/lines.js';
import type { Corrections } from './decisions/corrections.js';
import type { LimiterParts } from './limiter-parts.js';
import { isPause, pauseFor } from './pause.js';
import type { Runner } from './run.js';

interface Running<S> extends Pick<Runner<S>, 'consume'> {
  readonly parts: LimiterParts<S>;
  readonly corrections: Corrections;
  readonly lines: Lines<Decision>;
}

/** What `run` needs of a limiter. */
export function runnerOf<S>(
  limiter: Pick<Runner<S>, 'peek'>,
  { parts, corrections, lines, consume }: Running<S>,
): Runner<S> {
  const { book, claimBuilder } = parts;
  return {
    consume,
    peek: (subject, options) => limiter.peek(subject, options),
    settle: (decision, cost) => corrections.settle(decision, cost),
    undo: (decision) => corrections.undo(decision),
    release: (decision) => corrections.release(decision),
    lines,
    async lineOf(subject) {
      const tiers = await book.tiersFor(subject);
      const keys = await claimBuilder.lineKeys(tiers, subject);
      // Each denied check is charged, so that checks are sent one by one.
      const chargesDenied = tiers.some(({ charge }) => charge !== 'admitted');
      return { key: keys.join('\n'), most: chargesDenied ? 1 : Infinity };
    },
    async coolDown(subject, milliseconds) {
      if (!(await book.tiersFor(subject)).some(isPause)) return false;
      const { fallback } = await pauseFor(parts, subject, { milliseconds });
      return fallback === undefined || fallback === 'local';
    },
  };
}
