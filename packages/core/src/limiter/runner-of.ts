import type { Decision } from '../model/decision.js';
import type { Lines } from '../waiting/lines.js';
import type { ConsumeOptions, CostOptions } from './tiers/arguments.js';
import type { Costs } from './decisions/settlement.js';
import type { Limiter } from './limiter.js';
import { limiterBehind } from './limiter-behind.js';
import { isPause, pauseFor } from './pause.js';

/** The parts of a limiter that `run` needs. */
export interface Runner<S> {
  /**
   * @param wait for a permit, in milliseconds. @default as long as its tier says
   * @param hasOthers other work waits in the same line
   */
  consume(
    subject: S,
    options: ConsumeOptions,
    wait: number | undefined,
    hasOthers?: boolean,
  ): PromiseLike<Decision> | Decision;
  peek(subject: S, options: CostOptions): PromiseLike<Decision> | Decision;
  settle(decision: Decision, cost: Costs): Promise<number>;
  /** Takes the request back as if it had never been sent. */
  undo(decision: Decision): Promise<number>;
  release(decision: Decision): Promise<number>;
  /**
   * Pauses the tiers that can be paused. Returns false if no later check obeys the pause, because no tier can be paused
   * or the store does not answer.
   */
  coolDown(subject: S, milliseconds: number): Promise<boolean>;
  /** Work with the same key waits in one line. `most` checks of it are in flight. */
  lineOf(subject: S): Promise<{ readonly key: string; readonly most: number }>;
  readonly lines: Lines<Decision>;
}

/** What `run` needs of a limiter. @throws UsageError for another value */
export function runnerOf<S>(limiter: Limiter<S>): Runner<S> {
  const found = limiterBehind('run', limiter);
  const { book, claimBuilder } = found.requests;
  return {
    consume: (...each) => found.consumeIn(...each),
    peek: (subject, options) => limiter.peek(subject, options),
    settle: (decision, cost) => found.settle(decision, cost),
    undo: (decision) => found.undo(decision),
    release: (decision) => found.release(decision),
    lines: found.lines,
    async lineOf(subject) {
      const tiers = await book.tiersFor(subject);
      const keys = await claimBuilder.lineKeys(tiers, subject);
      // Each denied check is charged, so that checks are sent one by one.
      const chargesDenied = tiers.some(({ charge }) => charge !== 'admitted');
      return { key: keys.join('\n'), most: chargesDenied ? 1 : Infinity };
    },
    async coolDown(subject, milliseconds) {
      if (!(await book.tiersFor(subject)).some(isPause)) return false;
      const { fallback } = await pauseFor(found.requests, subject, { milliseconds });
      return fallback === undefined || fallback === 'local';
    },
  };
}
