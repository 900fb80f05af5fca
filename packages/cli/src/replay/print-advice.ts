import type { Terminal } from '../terminal/terminal.js';
import { countText, shareText, windowText } from '../terminal/figures.js';
import {
  attackResult,
  audienceText,
  attackTime,
  deciderText,
  exemptionText,
  filesText,
  isMade,
  kindsIn,
  partName,
  partRemark,
  promiseText,
  shareOf,
  signInText,
  swarmTexts,
} from './advice-text.js';
import { PLURALS } from './kinds/kind.js';
import type { Report } from './report.js';

const right = (title: string) => ({ title, align: 'right' as const });
const MOST_ATTACKS = 5;

/** Whose traffic the log has. */
export function printTraffic({ traffic, logged }: Report, terminal: Terminal): void {
  terminal.print('');
  terminal.printTable(
    [{ title: 'whose traffic' }, ...['share', 'requests', 'clients'].map(right), { title: 'the busiest' }],
    traffic.map((part) => [
      partName(part),
      shareText(part.requests / logged),
      countText(part.requests),
      countText(part.clients),
      partRemark(part),
    ]),
  );
}

/** The limits to choose from, who decides them, and whom others would deny. */
export function printProposals(report: Report, terminal: Terminal): void {
  const { proposals } = report;
  if (proposals.length > 0) {
    terminal.print('');
    terminal.printTable(
      [{ title: 'lowest limit that denies' }, ...['in this log', 'proposed'].map(right)],
      proposals.map((proposal, index) => [
        `${windowText(proposal.window)}: ${shareOf(report, proposal)} of ${audienceText(proposal)}`,
        countText(proposal.least),
        isMade(proposal, index, proposals) ? countText(proposal.limit) : '',
      ]),
    );
    const texts = [...proposals.filter(isMade).map(deciderText), filesText(report)];
    for (const text of texts) if (text !== undefined) terminal.print(text);
  }
  for (const { points, of, window } of report.curves) {
    const kinds = kindsIn(of);
    const row = (title: string, counts: typeof of) => [title, ...kinds.map((kind) => countText(counts[kind] ?? 0))];
    terminal.print('');
    terminal.printTable(
      [{ title: 'clients that it denies' }, ...kinds.map((kind) => right(PLURALS[kind]))],
      [
        ...points
          .filter(({ isShown }) => isShown)
          .map(({ limit, denied }) => row(`${countText(limit)}/${windowText(window)}`, denied)),
        row('of', of),
      ],
    );
  }
}

/** The attacks that the limits would have stopped, and those that they would not. */
export function printAttacks({ attacks }: Report, terminal: Terminal): void {
  if (attacks.length === 0) return;
  terminal.print('');
  terminal.printTable(
    [{ title: 'attacks' }, ...['lasted', 'requests', 'clients', 'admitted'].map(right), { title: '' }],
    attacks.slice(0, MOST_ATTACKS).map((attack) => {
      const [start, lasted] = attackTime(attack);
      const { requests, denied, sources, evidence } = attack;
      const admitted = shareText(1 - denied / requests);
      return [start, lasted, countText(requests), countText(sources), admitted, `${attackResult(attack)}: ${evidence}`];
    }),
  );
}

/** What limits by address cannot stop, and what can. */
export function printSwarms(report: Report, terminal: Terminal): void {
  const texts = swarmTexts(report);
  if (texts.length > 0) terminal.print('');
  for (const text of texts) terminal.print(text);
}

/** The clients to exempt before the limits are in force. */
export function printExemptions(report: Report, terminal: Terminal): void {
  const { exemptions } = report;
  if (exemptions.length === 0) return;
  terminal.print('');
  terminal.printTable(
    [{ title: 'exempt first' }, right('denied'), { title: '' }],
    exemptions
      .slice(0, MOST_ATTACKS)
      .map(({ client, denied, kind, evidence }) => [client, countText(denied), `${kind}: ${evidence}`]),
  );
  const text = exemptionText(report);
  if (text !== undefined) terminal.print(text);
}

/** What to write: one line for each limit. */
export function printLines(report: Report, terminal: Terminal): void {
  const { proposals } = report;
  const lines = [...proposals.filter(isMade).map(promiseText), signInText(report)].filter((line) => line !== undefined);
  if (lines.length === 0) return;
  terminal.print('');
  for (const line of lines) terminal.print(line);
}
