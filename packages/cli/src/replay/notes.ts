import { countOf, countText, perWindowText, shareText, windowText } from '../terminal/figures.js';
import { FILLED, type Unfilled } from './proposals.js';
import { readingNotes } from './reading.js';
import type { Kind } from './kinds/kind.js';
import { MANY_AGENTS, SEVERAL_AGENTS } from './kinds/signs.js';
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
  notes.push(...report.unfilled.map(unfilledText));
  if (report.candidate.tiers.length === 0 && report.traffic.every(({ kind }) => kind === 'scanner')) {
    const remedy = report.attacks.some(({ swarm }) => swarm !== undefined) ? '' : 'put them on a deny list, or ';
    notes.push(`No limit is proposed, because all clients are scanners: ${remedy}try a limit by --limits.`);
  }
  if (estimates(report)) {
    notes.push(
      'Above a limit of 64, sliding-window estimates from two windows, so that it may count more than a client has sent ("needs" beside "most"). algorithm: \'sliding-window-log\' is exact.',
    );
  }
  if (!report.hasAgents) {
    notes.push('The log has no User-Agent, so that programs and monitors are known by their pace alone: log combined.');
  }
  if (report.exemptions.some(({ kind }) => kind === 'search engine')) {
    notes.push(
      'Anybody can send the User-Agent of a search engine: compare its addresses with those that the search engine publishes.',
    );
  }
  if (refused > 0) {
    notes.push(
      `${countText(refused)} requests were already answered with 429 when they were logged; these limits admit ${countText(refusedAndAdmitted)} of them.`,
    );
  }
  const { client, share: part } = report.leader;
  if (part > MOST && requests >= MANY)
    notes.push(`${client} sends ${shareText(part)} of the requests. ${doubt(report)}`);
  else if (report.namesOthers)
    notes.push('X-Forwarded-For names other clients: pass the addresses of your proxies as --proxies.');
  else if (report.key === 'ip' && report.reading.privateClients > MOST * report.clients) notes.push(hiddenText(report));
  notes.push(...readingNotes(report));
  if (withoutCost > 0) notes.push(`${countText(withoutCost)} requests have no readable cost and cost 1.`);
  return notes;
}

function unfilledText({ window, filled, stay, needs, shorter }: Unfilled): string {
  const text = windowText(window);
  if (needs !== undefined && shorter !== undefined) {
    const allowed = `${countText(shorter.limit)} ${perWindowText(shorter.window)}`;
    return `No limit is proposed for ${text}: people who stay need ${countText(needs)} in ${text}, and may send ${allowed}, so that it would deny who comes again.`;
  }
  const more =
    shorter === undefined
      ? `more than one request in ${text}`
      : `more in ${text} than in ${windowText(shorter.window)}`;
  const reason =
    stay === undefined
      ? `the log has requests in ${countOf(filled, 'window')} of ${text}, and needs ${FILLED}`
      : `${countText(stay.people)} of ${countOf(stay.of, 'person', 'people')} sent ${more}, and ${FILLED} are needed to tell what people need`;
  return `No limit is proposed for ${text}: ${reason}. Pass a longer log, or try a limit by --limits.`;
}

/** True where a sliding window counts more than what clients have sent, or is proposed where it would. */
function estimates({ busiest }: Report): boolean {
  return busiest.some(({ needs, most }) => needs !== undefined && needs > most);
}

/** How the formats log the clients behind a proxy. */
const LOGGED_FORWARDED: Readonly<Record<string, string>> = {
  haproxy: 'capture request header X-Forwarded-For len 64, in a log-format',
  traefik: 'keep the header X-Forwarded-For in accessLog.fields.headers',
  'traefik-common': 'write JSON, and keep the header X-Forwarded-For in accessLog.fields.headers',
  iis: 'add the field X-Forwarded-For',
  cloudfront: 'add the field x-forwarded-for',
  json: "log req.headers['x-forwarded-for']",
  'vhost-combined': 'log %{X-Forwarded-For}i',
};
const OF_NGINX = 'log $http_x_forwarded_for (nginx) or %{X-Forwarded-For}i (Apache)';

function settingOf({ formats }: Report): string {
  return LOGGED_FORWARDED[formats[0]!] ?? OF_NGINX;
}

/** Who may stand behind addresses of a network of one's own. */
function hiddenText(report: Report): string {
  const { reading, clients } = report;
  return `${countText(reading.privateClients)} of ${countOf(clients, 'client')} have private addresses. If they are not those of your own network, they hide whom a proxy or a container forwards: ${settingOf(report)}, and pass --proxies uniquelocal.`;
}

/** What one program sends, or one scan. */
const NO_PROXIES: readonly Kind[] = ['program', 'monitor', 'search engine', 'scanner'];

/** Why a client with most of the requests may be no client. */
function doubt(report: Report): string {
  const { key, leader, namesOthers } = report;
  const { client, kind, evidence, isPrivate, agents } = leader;
  // A scanner makes up agents, but fewer than those of many people.
  const isOne = agents < (kind === 'scanner' ? MANY_AGENTS : SEVERAL_AGENTS);
  if (key !== 'ip') return 'Is that one client, or a value that many share?';
  const remedy = `${namesOthers ? '' : `${settingOf(report)}, and `}pass --proxies ${client}.`;
  // A proxy has the traffic and the agents of all whom it forwards, and never those of one program alone.
  if (isPrivate && !(isOne && NO_PROXIES.includes(kind))) return `A private address is usually a proxy: ${remedy}`;
  if (kind === 'office') return `It is an office or a school (${evidence}), or a proxy: count by user, or ${remedy}`;
  if (kind === 'scanner') return `It is a scanner (${evidence}): put it on a deny list.`;
  if (kind !== 'person' && kind !== 'page load') {
    const own = isPrivate ? ' of your own network' : '';
    const hint = isPrivate && kind === 'program' ? ', such as a health check or a cron job' : '';
    return `It is a ${kind}${own} (${evidence})${hint}: exempt it by allow: ['${client}'], or give it a key of its own.`;
  }
  return !isOne
    ? `Several people share it: count by user. If it is a proxy, ${remedy}`
    : `If it is a proxy or a CDN, ${remedy}`;
}
