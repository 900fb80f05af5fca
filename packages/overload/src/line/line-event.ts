import { type BesideCandidate, eventChannel } from '@sluice/core/internal';
import type { LinedRuling } from './lined-ruling.js';
import { standingOf } from './standing.js';

/** A denied request was told its moment. */
export interface LineEvent {
  readonly tier: string;
  /** Milliseconds until its moment. */
  readonly told: number;
  /** When it came, if it had a place. The promise was broken only to one that came in time. Undefined without a place. */
  readonly came: 'early' | 'in-time' | 'late' | undefined;
  /** True for a request behind which the line began again from the front, because it was longer than `longest`. */
  readonly beganAgain: boolean;
}

/** The event of a request that was told its moment, for `subscribe`. */
export const lineEvent = eventChannel<LineEvent>('sluice:line');

/** Publishes what a denied claim was told, before the line moves. @param moves whether it does */
export function publishTold(each: BesideCandidate, moves: boolean): void {
  if (!lineEvent.hasSubscribers) return;
  const { tier, policy } = each.claim;
  const { told = 0, beganAgain = false } = each.ruling as LinedRuling;
  lineEvent.publish({
    tier,
    told: Math.ceil((told * policy.tick) / 1e3),
    came: cameOf(each),
    beganAgain: moves && beganAgain,
  });
}

function cameOf(each: BesideCandidate): LineEvent['came'] {
  const { place, isInTime } = standingOf(each);
  if (place === 0) return undefined;
  if (place > each.ticks) return 'early';
  return isInTime ? 'in-time' : 'late';
}
