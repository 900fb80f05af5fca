import { countText, shareText } from '../terminal/figures.js';
import { readingNotes } from './reading.js';
import type { Report } from './report.js';

/** A client with a larger part of the requests is perhaps several. */
const MOST = 0.5;
/** In a shorter log one client may well send most. */
const MANY = 100;

/** What a report cannot know, and what of the log it has left out. */
export function limitsOf(report: Report): readonly string[] {
  const { requests, withoutCost, refused, refusedAndAdmitted } = report;
  const notes = ['A log cannot tell what a denied client does next: it may retry, wait, or give up.'];
  if (report.wholeSeconds) {
    notes.push(
      'The times are whole seconds, and of nginx those of the responses: log $msec and $request_time for exact answers.',
    );
  }
  if (refused > 0) {
    notes.push(
      `${countText(refused)} requests were already answered with 429 when they were logged; these limits admit ${countText(refusedAndAdmitted)} of them.`,
    );
  }
  const { client, share: part, isPrivate } = report.leader;
  if (part > MOST && requests >= MANY)
    notes.push(`${client} sends ${shareText(part)} of the requests. ${doubt(report, isPrivate)}`);
  else if (report.namesOthers)
    notes.push('X-Forwarded-For names other clients: pass the addresses of your proxies as --proxies.');
  notes.push(...readingNotes(report));
  if (withoutCost > 0) notes.push(`${countText(withoutCost)} requests have no readable cost and cost 1.`);
  return notes;
}

/** Why a client with most of the requests may be no client. */
function doubt({ key, leader: { client }, namesOthers }: Report, isPrivate: boolean): string {
  if (key !== 'ip') return 'Is that one client, or a value that many share?';
  const remedy = `${namesOthers ? '' : 'log $http_x_forwarded_for, and '}pass --proxies ${client}.`;
  return isPrivate ? `A private address is usually a proxy: ${remedy}` : `If it is a proxy or a CDN, ${remedy}`;
}
