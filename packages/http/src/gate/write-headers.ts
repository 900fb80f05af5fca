import { isAppointed, isSilent } from '@sluice/core/internal';
import { exposeHeaders } from '../headers/expose-headers.js';
import { writePlace } from '../headers/place-header.js';
import { headerFormats, type HeaderFormat } from '../headers/header-formats.js';
import { QuotaReport, retryAfterMsOf, retryAfterOf } from '../headers/quota-report.js';
import type { GateResponse } from '../request/response.js';
import type { DecidedVisit } from '../visits/visit.js';
import { formatsOf, reportedOf, visitsUntil, waitOf } from '../visits/visits.js';

/** The SDKs of OpenAI and Anthropic, and clients of Azure, read it before `Retry-After`. */
const RETRY_AFTER_MS = 'retry-after-ms';

/** Sets the headers of a decided request, over all gates that it has met. */
export function writeHeaders(visit: DecidedVisit): void {
  const { gate, request, response, decision, earlier } = visit;
  const formats = earlier === undefined ? gate.formats : formatsOf(visitsUntil(visit));
  // Undefined also if no tier applied.
  const report =
    formats.length === 0 ? undefined : QuotaReport.of(earlier === undefined ? [visit] : reportedOf(visitsUntil(visit)));
  if (report !== undefined) writeFormats(formats, report, response);
  // No time changes what a balance denies.
  const hasRetryAfter = !decision.allowed && decision.retryAfter !== Infinity;
  // Whole seconds would have several clients come together that have moments of their own.
  const hasOwnMoment = hasRetryAfter && decision.binding !== undefined && isAppointed(decision.binding);
  const hasMilliseconds = hasOwnMoment || (hasRetryAfter && report !== undefined && formats.includes('openai'));
  if (hasRetryAfter) {
    const retryAfter = waitOf(visit);
    response.setHeader('retry-after', String(retryAfterOf({ retryAfter })));
    if (hasMilliseconds) response.setHeader(RETRY_AFTER_MS, String(retryAfterMsOf({ retryAfter })));
  }
  const given = decision.allowed ? undefined : writePlace(decision, response);
  if (request.headers?.origin === undefined) return;
  const names = report === undefined ? [] : formats.flatMap((format) => headerFormats[format].names(report));
  if (hasRetryAfter) names.push('Retry-After');
  if (hasMilliseconds) names.push(RETRY_AFTER_MS);
  if (given !== undefined) names.push(given);
  exposeHeaders(response, names);
}

function writeFormats(formats: readonly HeaderFormat[], report: QuotaReport, response: GateResponse): void {
  const now = Date.now();
  for (const format of formats) {
    const writer = headerFormats[format];
    if (writer.hasUnits ? report.hasTiers : !isSilent(report.binding)) writer.write(response, report, now);
  }
}
