import { member, office, openApplication, pageLoad, person } from './actors.js';
import { guesser, scanner } from './attackers.js';
import { apiClient, feedReader, monitor, namelessMonitor, script, searchEngine } from './programs.js';
import { siteOf, type Site, type SiteSetup } from './site.js';

const HOUR = 3_600_000;

type Population = Omit<SiteSetup, 'seed'>;

/** Sites with casts that differ. Add a row for a site of another kind: the laws run each of them. */
export const POPULATIONS = {
  /** Pages with files, feed readers, search engines, and scans that are larger than all people together. */
  blog: {
    span: 24 * HOUR,
    cast: [
      [250, person(6)],
      [40, pageLoad],
      [10, feedReader],
      [3, searchEngine],
      [2, scanner(1, 2)],
      [1, scanner(4, 3)],
      [1, monitor],
    ],
  },
  /** Members that sign in, offices, an application that polls, monitors, and guesses of passwords. */
  shop: {
    span: 16 * HOUR,
    cast: [
      [400, member],
      [10, openApplication],
      [40, pageLoad],
      [2, office(10)],
      [1, office(40)],
      [1, monitor],
      [1, namelessMonitor],
      [2, searchEngine],
      [3, script],
      [1, scanner(2, 3)],
      [2, guesser],
    ],
  },
  /** A site of pages alone, because a CDN has its files, and one large school. */
  school: {
    span: 14 * HOUR,
    cast: [
      [500, person(0)],
      [1, office(60)],
      [1, monitor],
      [2, searchEngine],
      [3, scanner(1, 2)],
    ],
  },
  /** So many people that a proposal may deny some of them. */
  crowd: {
    span: 12 * HOUR,
    cast: [
      [2_100, person(0)],
      [2, searchEngine],
      [2, scanner(2, 3)],
    ],
  },
} satisfies Readonly<Record<string, Population>>;

/** An API whose clients have keys. */
export const API: Population = { span: 24 * HOUR, cast: [[400, apiClient]] };

export function population(name: keyof typeof POPULATIONS, seed: number): Site {
  return siteOf({ ...POPULATIONS[name], seed });
}

export function api(seed: number): Site {
  return siteOf({ ...API, seed });
}
