import { isSilent } from '@sluice/core/internal';
import { exposeHeaders } from '../headers/expose-headers.js';
import { headerFormats, writeBinding, type HeaderFormat } from '../headers/header-formats.js';
import { QuotaReport, retryAfterMsOf, retryAfterOf } from '../headers/quota-report.js';
import type { DecidedVisit } from '../visits/visit.js';
import { formatsOf, reportedOf, visitsUntil, waitOf } from '../visits/visits.js';

const NO_FORMATS: readonly HeaderFormat[] = [];
/** The SDKs of OpenAI and Anthropic, and clients of Azure, read it before `Retry-After`. */
const RETRY_AFTER_MS = 'retry-after-ms';

/** Sets the headers of a decided request, over all gates that it has met. */
export function writeHeaders(visit: DecidedVisit): void {
  const { request, response, decision } = visit;
  const formats = writeFormats(visit);
  // No time changes what a balance denies.
  const hasRetryAfter = !decision.allowed && decision.retryAfter !== Infinity;
  const hasMilliseconds = hasRetryAfter && formats.includes('openai');
  if (hasRetryAfter) {
    const retryAfter = waitOf(visit);
    response.setHeader('retry-after', String(retryAfterOf({ retryAfter })));
    if (hasMilliseconds) response.setHeader(RETRY_AFTER_MS, String(retryAfterMsOf({ retryAfter })));
  }
  if (request.headers?.origin === undefined) return;
  const names = formats.flatMap((format) => headerFormats[format].names(reportOf(visit)!));
  if (hasRetryAfter) names.push('Retry-After');
  if (hasMilliseconds) names.push(RETRY_AFTER_MS);
  exposeHeaders(response, names);
}

/** @returns the formats that report something */
function writeFormats(visit: DecidedVisit): readonly HeaderFormat[] {
  const { gate, response, earlier, decision } = visit;
  const formats = earlier === undefined ? gate.formats : formatsOf(visitsUntil(visit));
  if (earlier === undefined && formats.length === 1 && formats[0] === 'x-ratelimit') {
    // The usual gate. Its decision has all that this format reports.
    const { binding } = decision;
    if (binding === undefined) return NO_FORMATS;
    if (!isSilent(binding)) writeBinding(response, binding, Date.now());
    return formats;
  }
  const report = reportOf(visit);
  if (report === undefined) return NO_FORMATS;
  for (const format of formats) {
    const writer = headerFormats[format];
    if (writer.hasUnits ? report.hasTiers : !isSilent(report.binding)) writer.write(response, report, Date.now());
  }
  return formats;
}

function reportOf(visit: DecidedVisit): QuotaReport | undefined {
  return QuotaReport.of(reportedOf(visitsUntil(visit)));
}
