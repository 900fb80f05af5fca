import { isSilent } from '@sluice/core/internal';
import { exposeHeaders } from '../headers/expose-headers.js';
import { PLACE, placeText } from '../headers/place-header.js';
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
  const report = formats.length === 0 ? undefined : reportOf(visit);
  if (report !== undefined) writeFormats(formats, report, response);
  // No time changes what a balance denies.
  const hasRetryAfter = !decision.allowed && decision.retryAfter !== Infinity;
  // Clients in line come in the order of milliseconds: whole seconds would have several of them come together.
  const isInLine = decision.binding?.fitsAfter !== undefined;
  const hasMilliseconds = hasRetryAfter && (isInLine || (report !== undefined && formats.includes('openai')));
  if (hasRetryAfter) {
    const retryAfter = waitOf(visit);
    response.setHeader('retry-after', String(retryAfterOf({ retryAfter })));
    if (hasMilliseconds) response.setHeader(RETRY_AFTER_MS, String(retryAfterMsOf({ retryAfter })));
  }
  const { place } = decision;
  if (place !== undefined) response.setHeader(PLACE, placeText(place));
  if (request.headers?.origin === undefined) return;
  const names = report === undefined ? [] : formats.flatMap((format) => headerFormats[format].names(report));
  if (hasRetryAfter) names.push('Retry-After');
  if (hasMilliseconds) names.push(RETRY_AFTER_MS);
  if (place !== undefined) names.push('Sluice-Place');
  exposeHeaders(response, names);
}

function writeFormats(formats: readonly HeaderFormat[], report: QuotaReport, response: GateResponse): void {
  const now = Date.now();
  for (const format of formats) {
    const writer = headerFormats[format];
    if (writer.hasUnits ? report.hasTiers : !isSilent(report.binding)) writer.write(response, report, now);
  }
}

/** Undefined if no tier applied. */
function reportOf(visit: DecidedVisit): QuotaReport | undefined {
  return QuotaReport.of(visit.earlier === undefined ? [visit] : reportedOf(visitsUntil(visit)));
}
