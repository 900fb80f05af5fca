import { headerFormats, type HeaderFormat } from '../headers/header-formats.js';
import { onFinish } from '../request/on-close.js';
import type { DecidedVisit, Visit } from './visit.js';

/** A visit, and those at earlier gates: oldest first. */
export function visitsUntil<V extends Visit>(last: V): readonly (V | DecidedVisit)[] {
  const visits: (V | DecidedVisit)[] = [last];
  for (let each = last.earlier; each !== undefined; each = each.earlier) visits.unshift(each);
  return visits;
}

/** Those whose decisions headers report. */
export function reportedOf(visits: readonly DecidedVisit[]): readonly DecidedVisit[] {
  return visits.filter(isReported);
}

/** All visits of a request, reported ones first: a problem then names their policies as the headers do. */
export function reportedFirst(last: DecidedVisit): readonly DecidedVisit[] {
  const visits = visitsUntil(last);
  return [...visits.filter(isReported), ...visits.filter((each) => !isReported(each))];
}

/** The header formats of all gates, with the first of the drafts alone. */
export function formatsOf(visits: readonly Visit[]): readonly HeaderFormat[] {
  const formats = [...new Set(visits.flatMap(({ gate }) => gate.formats))];
  const draft = formats.find((format) => headerFormats[format].isDraft);
  return formats.filter((format) => format === draft || !headerFormats[format].isDraft);
}

/** Milliseconds until all limiters that a denied request has met admit it. */
export function waitOf(visit: DecidedVisit): number {
  return visit.earlier === undefined ? visit.decision.retryAfter : jointRetryAfter(visitsUntil(visit));
}

/** Milliseconds until all limiters admit the request: truths before hints. Those that never will are left out. */
function jointRetryAfter(visits: readonly DecidedVisit[]): number {
  const waits = visits.map(({ decision }) => decision).filter(({ retryAfter }) => retryAfter < Infinity);
  const truths = waits.filter(({ retryAfter, binding }) => retryAfter > 0 && !binding?.hint);
  return Math.max(...(truths.length > 0 ? truths : waits).map(({ retryAfter }) => retryAfter));
}

/** Calls back when the response was sent. */
export function afterResponse(visit: Visit, callback: () => void): void {
  // The same object for all gates, so that they share a listener: an adapter can make one for each gate.
  onFinish(visitsUntil(visit)[0]!.response, callback);
}

function isReported({ gate }: Visit): boolean {
  return gate.formats.length > 0;
}
