import type { Terminal } from '../terminal/terminal.js';
import { countOf, countText, shareText, windowText } from '../terminal/figures.js';
import { headText } from './head.js';
import { limitsOf } from './notes.js';
import type { Proposal } from './proposals.js';
import type { Report, TopClient, TrialReport } from './report.js';

const TOP = 5;

/** Prints a report for people. */
export function printReport(report: Report, terminal: Terminal): void {
  const right = (title: string) => ({ title, align: 'right' as const });
  terminal.print(headText(report));
  if (report.isProposed) printProposals(report, terminal);
  terminal.print('');
  const columns = [{ title: '' }, ...(report.current ? [right('current')] : []), right('candidate'), { title: '' }];
  terminal.printTable(columns, rowsOf(report));
  terminal.print('');
  const busiest = report.busiest.map(({ tier, window, p50, p99, p999, most, limit }) => [
    tier,
    windowText(window),
    ...[p50, p99, p999, most].map(countText),
    limit === undefined ? 'by request' : countText(limit),
  ]);
  const figures = ['window', 'p50', 'p99', 'p99.9', 'most', 'limit'];
  terminal.printTable([{ title: "a client's busiest window" }, ...figures.map(right)], busiest);
  if (!report.isProposed && report.proposals.length > 0) printProposals(report, terminal);
  printClients('most denied', report.top, terminal);
  // Those that are among the most denied are on the screen already.
  const others = report.people.filter(({ client }) => !report.top.slice(0, TOP).some((each) => each.client === client));
  printClients('people denied', others, terminal);
  if (report.isProposed) terminal.note('Try other limits by --limits, such as --limits 100/1m.');
  for (const note of limitsOf(report)) terminal.note(note);
}

function printProposals({ proposals, proposeBelow, clients, programs }: Report, terminal: Terminal): void {
  terminal.print('');
  const tiers = [...new Set(proposals.map(({ tier }) => tier))];
  const rowFor = (title: string, by: Proposal['by']) => [
    title,
    ...tiers.map((tier) => {
      const found = proposals.find((each) => each.tier === tier && each.by === by);
      return found === undefined ? '–' : countText(found.limit);
    }),
  ];
  const title = `lowest limit that denies less than ${shareText(proposeBelow!)}`;
  terminal.printTable(
    [{ title }, ...tiers.map((tier) => ({ title: tier, align: 'right' as const }))],
    [
      rowFor(`of ${countOf(clients, 'client')}`, 'clients'),
      rowFor(`of ${countText(clients - programs)} that look like people`, 'people'),
    ],
  );
}

function printClients(title: string, clients: readonly TopClient[], terminal: Terminal): void {
  if (clients.length === 0) return;
  terminal.print('');
  const right = (head: string) => ({ title: head, align: 'right' as const });
  terminal.printTable(
    [{ title }, right('denied'), right('requests'), right('busiest'), { title: '' }],
    clients
      .slice(0, TOP)
      .map(({ client, requests, denied, busiest, likelyPerson }) => [
        nameOf(client),
        ...[denied, requests, busiest].map(countText),
        likelyPerson ? 'likely a person' : '',
      ]),
  );
}

function rowsOf(report: Report): string[][] {
  const { candidate, current, requests } = report;
  const share = (count: number) => shareText(count / Math.max(1, requests));
  const row = (title: string, value: (trial: TrialReport) => string, remark = '') => [
    title,
    ...(current ? [value(current)] : []),
    value(candidate),
    remark,
  ];
  const more = (after: number, before = 0) =>
    `${after < before ? '−' : '+'}${countOf(Math.abs(after - before), 'request')}`;
  const isSpread = report.wholeSeconds;
  const newly = `${countText(report.newlyDenied)} newly denied, ${countText(report.likelyPeople)} of them likely people`;
  const names = [...new Set([...(current?.tiers ?? []), ...candidate.tiers].map(({ name }) => name))];
  const inTier = (name: string) => (trial: TrialReport) => {
    const tier = trial.tiers.find((each) => each.name === name);
    return tier === undefined ? '' : share(tier.denied);
  };
  const isShadow = (name: string) => candidate.tiers.some((tier) => tier.name === name && tier.shadow);
  return [
    row(
      isSpread ? 'denied, times as logged' : 'denied',
      ({ denied }) => share(denied),
      more(candidate.denied, current?.denied),
    ),
    ...(isSpread
      ? [
          row(
            'denied, spread in each second',
            ({ spreadDenied }) => share(spreadDenied!),
            more(candidate.spreadDenied!, current?.spreadDenied),
          ),
        ]
      : []),
    row('clients denied', ({ identities }) => countText(identities), newly),
    ...names.map((name) => row(`by ${name}`, inTier(name), isShadow(name) ? 'as a shadow: denies no request' : '')),
  ];
}

/** Short enough for a line. */
function nameOf(client: string): string {
  return client.length > 60 ? `${client.slice(0, 60)}…` : client;
}
