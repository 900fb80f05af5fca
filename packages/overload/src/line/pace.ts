import type { Policy } from '@sluice/core/internal';
import type { LinedPolicy } from './lined-policy.js';

/** A denied claim, and the end of the line that it meets. Times are ticks of the policy. */
export interface Denied<P extends Policy = LinedPolicy> {
  readonly policy: P;
  readonly cost: number;
  readonly now: number;
  /** How long the claim waits if nothing else spends. */
  readonly exact: number;
  /** The end of the line, perhaps in the past. 0: there is no line. */
  readonly end: number;
  /** Units that others may be owed whose places are kept. */
  readonly owed: number;
  /** The state of the limit, as it stands now. */
  readonly state: unknown;
  /** How long units wait. */
  waitFor(units: number): number;
}

/** A place in line: when its request comes, and where the line then ends. */
export interface Place {
  readonly at: number;
  readonly end: number;
}

/** What the line of a kind of limit depends on. Its Lua twin has the same steps. */
export interface Pace {
  /** The two letters of the Lua twin in whose place that of a line decides. */
  readonly twins: readonly string[];
  /** Units come back together. */
  readonly isTurned: boolean;
  /** The time between two units that are told of one window. 0 where the pace of the limit alone says it. */
  slice(policy: Policy): number;
  /** The place behind the line. */
  next(denied: Denied): Place;
  /** The place in front, where the line begins again. */
  first(denied: Denied): Place;
  /** The units that a line has told which is not over. */
  told(line: Pick<Denied, 'policy' | 'now' | 'exact' | 'end'>): number;
}

/** The units of a time. */
export function owedUnits({ isTurned }: Pace, { limit, window, tick, line }: LinedPolicy, time: number): number {
  return isTurned ? Math.ceil(time / line.slice) : Math.ceil((time * limit) / (window / tick));
}

/** The place of a denied claim. A line that is longer than its bound begins again from the front. */
export function placeOf(pace: Pace, denied: Denied): Place & { readonly beganAgain: boolean } {
  const { now, exact, policy, end } = denied;
  const place = pace.next(denied);
  if (place.at - now <= Math.max(exact, policy.line.longest)) return { ...place, beganAgain: false };
  return { ...pace.first(denied), beganAgain: end > now };
}
