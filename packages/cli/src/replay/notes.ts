import { countText, shareText } from '../terminal/figures.js';
import type { Report } from './report.js';

/** What a report cannot know, and what of the log it has left out. */
export function limitsOf(report: Report): readonly string[] {
  const { requests, lines, unreadable, late, unidentified, withoutCost, refused, refusedAndAdmitted } = report;
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
  if (unreadable > 0) notes.push(`${countText(unreadable)} lines (${shareText(unreadable / lines)}) cannot be read.`);
  if (late > 0) notes.push(`${countText(late)} lines came more than a minute too late and are left out.`);
  if (unidentified > 0) {
    const share = shareText(unidentified / Math.max(1, unidentified + requests));
    notes.push(`${countText(unidentified)} requests (${share}) have no ${report.key} and are left out.`);
  }
  if (withoutCost > 0) notes.push(`${countText(withoutCost)} requests have no readable cost and cost 1.`);
  return notes;
}
