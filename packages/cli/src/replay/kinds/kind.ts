// kinds/ tells kinds of clients apart in a log: by agents, forms, pages, paths and pace. Logged requests enter, and
// signs leave. It imports lines/ of logs and terminal.
import { countOf, countText } from '../../terminal/figures.js';
import type { Pace } from './pace.js';
import { productOf, type AgentClass } from './agent.js';
import { FEW_PATHS } from './first-pages.js';
import { NO_HTTP } from './known-hole.js';
import { MANY_HOLES } from './holes.js';
import { MANY_AGENTS, MANY_FAILED_PAGES, type ClientSigns } from './signs.js';

/** What sends the requests of a client, as far as a log can tell. No limit has a part in it. */
export type Kind = (typeof KINDS)[number];

/** People first, for whom limits are made. A page load is a visit of one or two pages with all their files. */
export const KINDS = ['person', 'page load', 'office', 'program', 'monitor', 'search engine', 'scanner'] as const;

/** Several of a kind. */
export const PLURALS: Readonly<Record<Kind, string>> = {
  person: 'people',
  'page load': 'page loads',
  office: 'offices',
  program: 'programs',
  monitor: 'monitors',
  'search engine': 'search engines',
  scanner: 'scanners',
};

export interface Judged {
  readonly signs: ClientSigns;
  readonly pace: Pace;
  /** The pace of its busiest minute is above 99 % of all clients. */
  readonly isFast: boolean;
  /** It is an address, which several people may share. */
  readonly isAddress: boolean;
  /** The evidence that it is one of many addresses that act as one. Undefined where it is not. */
  readonly swarm: string | undefined;
}

/** Of its requests, or more where it names itself: crawlers follow links that are dead. */
const FAILED = 0.2;
const FAILED_OF_NAMED = 0.5;
/** A scanner makes up agents. */
const MADE_UP = 20;
/** Requests of each agent of an office. A program that hides has another agent each time. */
const OF_AN_AGENT = 2;
/** Of its requests: an office or a carrier has an infected machine now and then. */
const HOLES = 0.05;
/** Passwords that were refused. People give up earlier. */
const GUESSED = 20;
/** No person repeats what fails so often. */
const MANY_REQUESTS = 100;
/** Minutes with requests, after which an even pace is one of a program. A person reads between bursts. */
const LONG = 20;
const EVEN = 0.5;
/** A monitor asks for little, and for long. */
const MONITOR_MINUTES = 120;
const MONITOR_EVEN = 0.8;
/** Of the minutes from its first request to its last: people leave a page alone for longer. */
const STEADY = 0.6;
/** Of a browser, but for a page that has none or has them in its cache. */
const SOME_FILES = 0.05;
const PAGES_OF_A_LOAD = 2;
const FILES_OF_A_LOAD = 10;

/** The kind of a client, by signs that no limit has a part in. */
export function kindOf(judged: Judged): Kind {
  const { signs, isAddress, swarm } = judged;
  const named = namedKind(signs);
  if (swarm !== undefined || isScan(signs, named) || isMadeUp(signs) || isGuessing(signs)) return 'scanner';
  if (named !== undefined) return named;
  if (isAddress && signs.browsers >= MANY_AGENTS) return isHiding(signs) ? 'program' : 'office';
  if (isMonitorPace(judged)) return 'monitor';
  if (isProgramPace(judged) || isStubborn(signs)) return 'program';
  return isLoad(signs) ? 'page load' : 'person';
}

/** What most of its requests name as their agent. */
function namedKind({ agents }: ClientSigns): Exclude<AgentClass, 'none' | 'browser'> | undefined {
  const named = agents.program + agents.monitor + agents['search engine'];
  if (named <= agents.none + agents.browser) return undefined;
  if (agents.program >= agents.monitor && agents.program >= agents['search engine']) return 'program';
  return agents.monitor >= agents['search engine'] ? 'monitor' : 'search engine';
}

function isScan(signs: ClientSigns, named: Kind | undefined): boolean {
  const { failed, requests, failedPages } = signs;
  if (named === 'monitor' || named === 'search engine')
    return (failedPages >= MANY_FAILED_PAGES || isProbing(signs)) && failed >= FAILED_OF_NAMED * requests;
  return isProbing(signs) || (failedPages >= MANY_FAILED_PAGES && failed >= FAILED * requests);
}

/** A single request for a known hole tells, but for a client that many share. */
function isProbing({ holes, requests }: ClientSigns): boolean {
  return holes >= MANY_HOLES || (holes > 0 && holes >= HOLES * requests);
}

function isMadeUp({ failed, requests, browsers }: ClientSigns): boolean {
  return browsers >= MADE_UP && failed >= FAILED * requests;
}

function isGuessing({ signIns, failedSignIns }: ClientSigns): boolean {
  return failedSignIns >= GUESSED && failedSignIns * 2 >= signIns;
}

function isMonitorPace({ signs, pace }: Judged): boolean {
  return (
    pace.minutes >= MONITOR_MINUTES &&
    (pace.evenness >= MONITOR_EVEN || isSteady(pace)) &&
    signs.paths < FEW_PATHS &&
    signs.files < SOME_FILES * signs.requests
  );
}

/** A request at the end of a minute is now and then logged in the next one, which then has one more than it should. */
function isSteady({ minutes, span, most, evenness }: Pace): boolean {
  return minutes >= STEADY * span && evenness * most >= MONITOR_EVEN * (most - 1);
}

function isProgramPace({ signs, pace, isFast }: Judged): boolean {
  return isFast && pace.minutes >= LONG && pace.evenness >= EVEN && signs.files < SOME_FILES * signs.requests;
}

function isHiding({ requests, browsers }: ClientSigns): boolean {
  return requests < OF_AN_AGENT * browsers;
}

/** Goes on although most of what it asks for fails, as a program does whose page has moved. */
function isStubborn({ requests, files, failed }: ClientSigns): boolean {
  return requests >= MANY_REQUESTS && failed * 2 >= requests && files < SOME_FILES * requests;
}

function isLoad({ requests, files }: ClientSigns): boolean {
  return requests - files <= PAGES_OF_A_LOAD && files >= FILES_OF_A_LOAD;
}

/** The signs of a kind in words. */
export function evidenceOf(kind: Kind, { signs, pace, swarm }: Judged): string {
  switch (kind) {
    case 'scanner':
      return swarm ?? scanText(signs);
    case 'office':
      return `${countOf(signs.browsers, 'agent')} or more at one address`;
    case 'person':
    case 'page load':
      return visitText(signs);
    default:
      if (namedKind(signs) !== undefined) return productOf(signs.agent) || kind;
      if (kind === 'monitor') return `${countOf(signs.paths, 'path')}, evenly in ${countOf(pace.minutes, 'minute')}`;
      if (signs.browsers >= MANY_AGENTS) return `${signs.browsers} agents in ${countOf(signs.requests, 'request')}`;
      return isStubborn(signs)
        ? `${failedText(signs)} in ${countOf(signs.requests, 'request')}`
        : `up to ${countText(pace.most)} a minute, evenly in ${countOf(pace.minutes, 'minute')}`;
  }
}

/** `92 % 404`: how many of its requests failed. */
function failedText({ failed, notFound, requests }: ClientSigns): string {
  return `${Math.floor((100 * failed) / requests)} % ${notFound * 2 > failed ? '404' : '4xx'}`;
}

function scanText(signs: ClientSigns): string {
  const { requests, failed, failedPages, browsers, failedSignIns } = signs;
  if (isGuessing(signs)) return `${countText(failedSignIns)} refused sign-ins`;
  if (isProbing(signs) && !(failedPages >= MANY_FAILED_PAGES && failed >= FAILED * requests)) return holeText(signs);
  const pages = failedPages >= MANY_FAILED_PAGES ? ` on ${MANY_FAILED_PAGES} pages or more` : '';
  const agents = browsers >= MADE_UP ? `, ${countOf(browsers, 'agent')} or more` : '';
  return `${failedText(signs)}${pages}${agents}`;
}

function holeText({ holes, hole }: ClientSigns): string {
  if (hole === NO_HTTP) return countOf(holes, 'request that is no HTTP', 'requests that are no HTTP');
  if (holes === 1) return `asks for ${hole}, a known hole`;
  return `${holes}${holes === MANY_HOLES ? ' or more' : ''} known holes, such as ${hole}`;
}

/** With what speaks against a person: several agents, and as many failures as of a scanner. */
function visitText(signs: ClientSigns): string {
  const { requests, files, browsers, failed } = signs;
  const parts = [countOf(requests - files, 'page')];
  if (files > 0) parts.push(countOf(files, 'file'));
  if (browsers > 1) parts.push(countOf(browsers, 'agent'));
  if (failed >= FAILED * requests) parts.push(failedText(signs));
  return parts.join(', ');
}
