import { grid, scrolling, section } from '../charts/page.js';
import { escapeText, tag } from '../charts/svg.js';
import { countText, perWindowText, shareText } from '../terminal/figures.js';
import {
  attackResult,
  attackTime,
  deciderText,
  exemptionText,
  filesText,
  isMade,
  partName,
  partRemark,
  promiseText,
  signInText,
  swarmTexts,
} from './advice-text.js';
import { curveChart, limitOf } from './curve-chart.js';
import type { Report } from './report.js';

/** Whose traffic the log has, as a part of the page. */
export function trafficSection({ traffic, logged }: Report): string {
  const rows = traffic.map((part) => [
    partName(part),
    shareText(part.requests / logged),
    countText(part.requests),
    countText(part.clients),
    partRemark(part),
  ]);
  return section(
    'Whose traffic this is',
    'By signs that no limit has a part in.',
    grid(['sent by', 'share', 'requests', 'clients', 'the busiest'], rows),
  );
}

/** The proposals, the attacks and the exemptions. */
export function advicePart(report: Report): readonly string[] {
  const { proposals, curves, attacks, exemptions } = report;
  const made = proposals.filter(isMade);
  const lines = [
    ...made.map(promiseText),
    ...made.map(deciderText),
    filesText(report),
    signInText(report),
    ...swarmTexts(report),
  ];
  const list = (texts: readonly (string | undefined)[]) =>
    tag('ul', {}, ...texts.filter((text) => text !== undefined).map((text) => tag('li', {}, escapeText(text))));
  return [
    ...(lines.some((line) => line !== undefined) ? [section('What to write', '', list(lines))] : []),
    ...curves.map((curve) =>
      section(
        `Whom limits ${perWindowText(curve.window)} deny`,
        'A good limit is where the line of people has fallen, and that of scanners has not.',
        scrolling(`Whom limits ${perWindowText(curve.window)} deny`, curveChart(curve, limitOf(report, curve))),
      ),
    ),
    ...(attacks.length === 0 ? [] : [attackSection(report)]),
    ...(exemptions.length === 0
      ? []
      : [
          section(
            'Exempt first',
            exemptionText(report) ?? '',
            grid(
              ['client', 'denied', 'kind'],
              exemptions.map(({ client, denied, kind, evidence }) => [
                client,
                countText(denied),
                `${kind}: ${evidence}`,
              ]),
            ),
          ),
        ]),
  ];
}

function attackSection({ attacks }: Report): string {
  const rows = attacks.map((attack) => {
    const { requests, denied, sources, evidence } = attack;
    const admitted = shareText(1 - denied / requests);
    return [
      ...attackTime(attack),
      countText(requests),
      countText(sources),
      admitted,
      `${attackResult(attack)}: ${evidence}`,
    ];
  });
  return section(
    'Attacks',
    'A limit by address stops what comes from one address, and slows down what moves between several.',
    grid(['began', 'lasted', 'requests', 'clients', 'admitted', 'what limits do'], rows),
  );
}
