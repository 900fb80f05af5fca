import { countOf, countText, momentText, perWindowText, shareText } from '../terminal/figures.js';
import type { AttackReport, ProposalReport, TrafficReport } from './advice-report.js';
import { KINDS, PLURALS, type Kind } from './kinds/kind.js';
import type { KindCounts } from './curve.js';
import type { Report } from './report.js';

/** Whose requests a part of the log has: `pages of people`, `scanners`. */
export function partName({ kind, what }: TrafficReport): string {
  return what === 'all' ? PLURALS[kind] : `${what} of people`;
}

/** What is known of a part: that files are, or the busiest client and its signs. */
export function partRemark({ what, busiest, evidence }: TrafficReport): string {
  if (what === 'files') return '.css .js .png …';
  return what === 'pages' ? '' : `${busiest}: ${evidence}`;
}

/** `6 500 people`, `1 person`, `300 people who stay`. */
export function audienceText({ of, by, isOfStayers }: ProposalReport): string {
  if (by === 'clients') return countOf(of, 'client');
  return isOfStayers ? countOf(of, 'person who stays', 'people who stay') : countOf(of, 'person', 'people');
}

/** `144 a minute denies 6 of 6 500 people. Write: rateLimit({ limit: 144, window: '1m' })`. */
export function promiseText(proposal: ProposalReport): string {
  const { limit, window, denied, write, loads } = proposal;
  const whom = `${countText(denied)} of ${audienceText(proposal)}`;
  const visits =
    loads === undefined
      ? ''
      : `, and by their files ${countText(loads.denied)} of ${countOf(loads.of, 'page load')}: ${countText(loads.limit)} spares them, if your limiter sees files`;
  return `${countText(limit)} ${perWindowText(window)} denies ${whom}${visits}. Write: ${write}`;
}

/** What a proposal promises: `less than 0.10 %`, or `at most 1` and `none` of a few clients. */
export function shareOf({ proposeBelow }: Report, { of, mayDeny }: ProposalReport): string {
  if (mayDeny === 0) return 'none';
  return mayDeny < of * proposeBelow! ? `less than ${shareText(proposeBelow!)}` : `at most ${countText(mayDeny)}`;
}

/** Who decides the number, and by how much the number is above it. */
export function deciderText({ tier, window, decides, least, limit, of }: ProposalReport): string | undefined {
  if (decides === undefined) return undefined;
  const { client, kind, evidence, busiest, without } = decides;
  const counted = busiest === least ? '' : `, which sliding-window counts as ${countText(least)}`;
  const asks = `set by ${client} (${kind}: ${evidence}), with ${countText(busiest)} ${perWindowText(window)}${counted}`;
  const headroom = limit === least ? '' : `, plus ${Math.floor((100 * limit) / least - 100)} % for other days`;
  const others = of === 1 ? '' : `; without this client ${countText(without)} would do`;
  return `${tier}: ${asks}${headroom}${others}.`;
}

/** `2026 Jan 29 02:54`, and how long it lasted. */
export function attackTime({ from, to }: AttackReport): readonly [start: string, lasted: string] {
  const minutes = Math.max(1, Math.round((to - from) / 60_000));
  return [momentText(from), minutes < 120 ? `${minutes}m` : `${Math.round(minutes / 60)}h`];
}

/** Up to so much of an attack is no attack any more. */
const STOPPED = 0.1;
const SLOWED = 0.5;

export function attackResult({ requests, denied }: AttackReport): string {
  const admitted = 1 - denied / requests;
  if (admitted <= STOPPED) return 'stopped';
  return admitted <= SLOWED ? 'slowed down' : 'not stopped';
}

/** What a limit by address does to addresses that act as one, and what can stop them. */
export function swarmTexts({ attacks, candidate }: Report): readonly string[] {
  return attacks.flatMap(({ swarm, sources, requests, denied }) => {
    if (swarm === undefined) return [];
    const { isByForm, page, most } = swarm;
    const asked = isByForm ? 'send little but sign-ins and sign-ups' : `ask for ${page || 'one page'} with one agent`;
    const calm = `${countOf(sources, 'address', 'addresses')} act as one: they ${asked}, and none sends more than ${countText(most)} a minute`;
    const admits =
      candidate.tiers.length === 0
        ? 'would admit them'
        : `admits ${shareText(1 - denied / requests)} of their requests`;
    const remedy = isByForm
      ? "Count sign-ins by account, too, as loginTiers do, and all sign-ups together: key: () => 'all'."
      : `Count all clients of ${page || 'the page'} together, by key: () => 'all', or refuse their agent.`;
    return [`${calm}, so that a limit by address ${admits}. ${remedy}`];
  });
}

/** The option to write, by which the clients are not counted. Undefined for numbers in place of names. */
export function exemptionText({ exemptions, key, isAnonymous }: Report): string | undefined {
  if (exemptions.length === 0 || isAnonymous) return undefined;
  const names = exemptions.map(({ client }) => `'${client.replaceAll(/['\\]/g, String.raw`\$&`)}'`).join(', ');
  if (key === 'ip') return `allow: [${names}],`;
  return `skip: (request) => [${names}].includes(${key === 'user' ? 'request.user?.id' : 'keyOf(request)'}),`;
}

/** What a limit of sign-ins by itself does. */
export function signInText({ signIns }: Report): string | undefined {
  if (signIns === undefined) return undefined;
  const { path, requests, refused, of, limit, denied } = signIns;
  const sent = `POST ${path}: ${countOf(requests, 'sign-in')}, ${countText(refused)} refused`;
  const kinds = KINDS.filter((kind) => of[kind] !== undefined);
  const hits = kinds.map((kind) => `${countText(denied[kind] ?? 0)} of ${countOf(of[kind]!, kind, PLURALS[kind])}`);
  const line = `app.post('${path.replaceAll(/['\\]/g, String.raw`\$&`)}', rateLimit({ limit: ${limit}, window: '1m' }))`;
  return `${sent}. ${limit} a minute denies ${hits.join(', ')}. Write: ${line}`;
}

/** True for the proposal that is made: that for people, or for all clients where none looks like people. */
export function isMade({ by, tier }: ProposalReport, _index: number, all: readonly ProposalReport[]): boolean {
  return by === 'people' || !all.some((other) => other.tier === tier && other.by === 'people');
}

/** The kinds that a log has. */
export function kindsIn(counts: KindCounts): readonly Kind[] {
  return KINDS.filter((kind) => counts[kind] !== undefined);
}

/** What files decide. Undefined for a log with few of them. */
export function filesText({ traffic, proposals, logged }: Report): string | undefined {
  const withFiles = proposals.filter(({ withoutFiles }) => withoutFiles !== undefined);
  const files = traffic.find(({ what }) => what === 'files');
  if (withFiles.length === 0 || files === undefined) return undefined;
  const [without, all] = [
    withFiles.map((proposal) => countText(proposal.withoutFiles!)),
    withFiles.map(({ limit }) => countText(limit)),
  ].map((numbers) => numbers.join(' and '));
  return `${shareText(files.requests / logged)} of the requests are files (.css .js .png …): without them ${without} instead of ${all}. Pass --without files if nginx or a CDN serves them.`;
}
