import { member, office, openApplication, pageLoad, person } from './actors.js';
import { guesser, scanner } from './attackers.js';
import {
  apiClient,
  apiProgram,
  balancer,
  feedReader,
  lateMonitor,
  monitor,
  namelessMonitor,
  script,
  searchEngine,
} from './programs.js';
import { siteOf, type Site, type SiteSetup } from './site.js';

const HOUR = 3_600_000;

/** Casts whose logs have some thousand lines. */
const SMALL = {
  blog: {
    span: 12 * HOUR,
    cast: [
      [40, person(6)],
      [6, pageLoad],
      [8, feedReader],
      [1, searchEngine],
      [1, scanner(1, 2)],
    ],
  },
  shop: {
    span: 6 * HOUR,
    cast: [
      [50, member],
      [2, openApplication],
      [6, pageLoad],
      [1, office(12)],
      [1, searchEngine],
      [1, script],
      [1, guesser],
    ],
  },
  /** A shop behind a balancer that checks it. */
  checked: {
    span: 6 * HOUR,
    cast: [
      [50, member],
      [6, pageLoad],
      [1, office(12)],
      [1, balancer],
      [1, script],
      [1, guesser],
    ],
  },
  offices: {
    span: 10 * HOUR,
    cast: [
      [40, person(0)],
      [2, office(12)],
      [1, office(30)],
      [1, searchEngine],
    ],
  },
  /** Whose kinds no agent needs to tell. */
  silent: {
    span: 5 * HOUR,
    cast: [
      [60, person(6)],
      [6, pageLoad],
      [2, namelessMonitor],
      [1, scanner(2, 2)],
      [1, guesser],
    ],
  },
  programs: {
    span: 10 * HOUR,
    cast: [
      [30, person(0)],
      [20, apiProgram],
      [2, script],
    ],
  },
  monitors: {
    span: 4 * HOUR,
    cast: [
      [40, person(6)],
      [3, monitor],
      [1, namelessMonitor],
      [1, lateMonitor(20_000)],
      [1, lateMonitor(60_000)],
    ],
  },
  scanners: {
    span: 6 * HOUR,
    cast: [
      [40, person(6)],
      [1, scanner(4, 1)],
      [1, scanner(2, 3)],
      [2, guesser],
    ],
  },
  readers: {
    span: 24 * HOUR,
    cast: [
      [30, feedReader],
      [40, person(6)],
      [6, pageLoad],
      [1, searchEngine],
    ],
  },
  short: {
    span: HOUR * 0.75,
    cast: [
      [20, person(6)],
      [4, pageLoad],
      [1, scanner(1, 1)],
    ],
  },
  /** Clients with keys, and people without one. */
  keys: {
    span: 24 * HOUR,
    cast: [
      [30, apiClient],
      [10, person(6)],
    ],
  },
  /** Two of each behind the other, which may be neighbours in a network. */
  pairs: {
    span: 8 * HOUR,
    cast: [
      [40, person(6)],
      [6, pageLoad],
      [2, office(12)],
      [2, searchEngine],
      [2, scanner(2, 1)],
    ],
  },
  crowd: {
    span: 12 * HOUR,
    cast: [
      [150, person(0)],
      [1, monitor],
      [1, script],
      [1, searchEngine],
    ],
  },
} satisfies Readonly<Record<string, Omit<SiteSetup, 'seed'>>>;

export type SmallSite = keyof typeof SMALL;

export function smallSite(name: SmallSite, seed: number): Site {
  return siteOf({ ...SMALL[name], seed });
}
