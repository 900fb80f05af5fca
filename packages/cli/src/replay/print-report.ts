import { bold } from '../terminal/styled.js';
import type { Terminal } from '../terminal/terminal.js';
import { countOf, countText, shareText, windowText } from '../terminal/figures.js';
import { headText } from './head.js';
import { limitsOf } from './notes.js';
import type { Report, TrialReport } from './report.js';

const TOP = 5;

/** Prints a report for people. */
export function printReport(report: Report, terminal: Terminal): void {
  const right = (title: string) => ({ title, align: 'right' as const });
  terminal.print(headText(report));
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
  for (const { tier, limit, share } of report.proposals) {
    const name = report.proposals.length > 1 ? ` of ${tier}` : '';
    const what = `lowest limit${name} that denies less than ${shareText(report.proposeBelow!)}: `;
    terminal.print(what, bold(countText(limit)), ` (${shareText(share)})`);
  }
  if (report.top.length > 0) {
    terminal.print('');
    const rows = report.top
      .slice(0, TOP)
      .map(({ client, requests, denied, busiest: most, likelyPerson }) => [
        nameOf(client),
        ...[denied, requests, most].map(countText),
        likelyPerson ? 'likely a person' : '',
      ]);
    const titles = [{ title: 'most denied' }, right('denied'), right('requests'), right('busiest'), { title: '' }];
    terminal.printTable(titles, rows);
  }
  for (const note of limitsOf(report)) terminal.note(note);
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
