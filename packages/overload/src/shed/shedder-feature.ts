import type { MaybePromise } from '@sluice/core/internal';
import type { HttpRequest, ShedVisit } from '@sluice/http/internal';
import type { Priority } from './priority.js';
import type { ScarceQueue } from './scarce-queue.js';

/** Names the member of a feature, for all copies of this package. Its number changes with its form. */
export const SHEDDER_FEATURE = 'sluice.shedder-feature.1';

/** What a program imports for the option `features` of a shedder. */
export interface ShedderFeature {
  readonly 'sluice.shedder-feature.1': ShedderFacets;
}

/** What a shedder does for a feature. Each facet is for those that need it. */
export interface ShedderFacets {
  /** The priority that a request has already, in the place of that which the application gives. */
  readonly priorityOf?: (request: HttpRequest) => Priority | undefined;
  /** A request goes on, or waits to be decided: called in the turn in which it came. */
  readonly pass?: (visit: ShedVisit<never>, gate: ShedderGate) => void;
  /** What is overloaded apart from the event loop. Requests that need it are refused for it. */
  readonly scarce?: ScarceQueue;
  /** Measures what requests have waited before they came. Called once for each shedder. */
  readonly measure?: () => EarlierWaits;
}

/** What a shedder tells of its requests when a feature asks. */
export interface ShedderGate {
  priorityOf(request: never): Priority;
  /** From 0 to 99: those below a level are refused. */
  cohortOf(visit: ShedVisit<never>): MaybePromise<number>;
}

/** What requests have waited before this process has read them, in milliseconds. */
export interface EarlierWaits {
  /** Of a request. 0 where nothing tells. */
  of(request: HttpRequest, now: number): number;
  /** What all requests of the last slice have waited. Called at each tick. @param busy milliseconds that the loop has worked, in all */
  delay(now: number, busy: () => number): number;
}

export function isShedderFeature(value: unknown): value is ShedderFeature {
  return typeof (Object(value) as Partial<ShedderFeature>)[SHEDDER_FEATURE] === 'object';
}
