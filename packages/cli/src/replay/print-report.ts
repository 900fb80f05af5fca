import type { Terminal } from '../terminal/terminal.js';
import { countOf, countText, shareText, windowText } from '../terminal/figures.js';
import type { ClientReport } from './client-report.js';
import { headText } from './head.js';
import { limitsOf } from './notes.js';
import {
  printAttacks,
  printExemptions,
  printLines,
  printProposals,
  printSwarms,
  printTraffic,
} from './print-advice.js';
import type { Report, TrialReport } from './report.js';

const TOP = 5;

/** Prints a report for people: advice where no limit was given, else what the given limits do. */
export function printReport(report: Report, terminal: Terminal): void {
  terminal.print(headText(report));
  printTraffic(report, terminal);
  if (!report.isProposed) printTrial(report, terminal);
  printProposals(report, terminal);
  // Those that are among the most denied are on the screen already.
  const shown = new Set(report.isProposed ? [] : report.top.slice(0, TOP).map(({ client }) => client));
  if (!report.isProposed) printClients('most denied', report.top, report, terminal);
  printClients(
    'people denied',
    report.people.filter(({ client }) => !shown.has(client)),
    report,
    terminal,
  );
  if (report.candidate.tiers.length > 0) {
    printAttacks(report, terminal);
    printExemptions(report, terminal);
  }
  printSwarms(report, terminal);
  printLines(report, terminal);
  if (report.isProposed && report.proposals.length > 0)
    terminal.note('Try other limits by --limits, such as --limits 100/1m.');
  for (const note of limitsOf(report)) terminal.note(note);
}

function printTrial(report: Report, terminal: Terminal): void {
  const right = (title: string) => ({ title, align: 'right' as const });
  terminal.print('');
  const columns = [{ title: '' }, ...(report.current ? [right('current')] : []), right('candidate'), { title: '' }];
  terminal.printTable(columns, rowsOf(report));
  terminal.print('');
  const busiest = report.busiest.map(({ tier, window, p50, p99, p999, most, needs, limit }) => [
    tier,
    windowText(window),
    ...[p50, p99, p999, most].map(countText),
    needs === undefined ? '–' : countText(needs),
    limit === undefined ? 'by request' : countText(limit),
  ]);
  const figures = ['window', 'p50', 'p99', 'p99.9', 'most', 'needs', 'limit'];
  terminal.printTable([{ title: "a client's busiest window" }, ...figures.map(right)], busiest);
}

function printClients(title: string, clients: readonly ClientReport[], report: Report, terminal: Terminal): void {
  if (clients.length === 0) return;
  terminal.print('');
  const right = (head: string) => ({ title: head, align: 'right' as const });
  const window = windowText(report.busiest[0]!.window);
  terminal.printTable(
    [{ title }, right('denied'), right('requests'), right(`busiest ${window}`), { title: '' }],
    clients
      .slice(0, TOP)
      .map(({ client, requests, denied, busiest, kind, evidence }) => [
        nameOf(client),
        ...[denied, requests, busiest].map(countText),
        `${kind}: ${evidence}`,
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
  const newly = `${countText(report.newlyDenied)} newly denied, ${countText(report.newlyDeniedPeople)} of them people`;
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
