import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitTable } from './limits.js';
import { gallery, reportTable } from './markdown.js';
import { picturesOf, type Picture } from './pictures.js';
import { majorOf, withRerun, type Report, type Rerun } from './report.js';

const BEGIN = '<!-- results -->';
const END = '<!-- end of results -->';

/**
 * Writes a report into a folder, and returns the paths of its files. A run of some parts replaces these parts of the run
 * that is there. Pages and pictures are of the newest Node there.
 */
export function writeReport(measured: Report, folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const kept = reportsIn(folder).find((report) => majorOf(report) === majorOf(measured));
  const isPartial = kept?.parts.some((part) => !measured.parts.includes(part));
  const report = isPartial ? withRerun(kept!, measured) : measured;
  const results = fileOf(report);
  writeFileSync(join(folder, results), `${JSON.stringify(report, undefined, 2)}\n`);

  const [newest, ...others] = reportsIn(folder);
  const pictures = picturesOf(newest!);
  for (const { file, svg } of pictures) writeFileSync(join(folder, file), svg);
  const pages = [
    ['README.md', summary(newest!, others, pictures)],
    ['limits.md', `From the run of ${newest!.environment.date}.\n\n${limitTable(newest!)}`],
  ] as const;
  const filled = pages.flatMap(([name, text]) => (fill(join(folder, name), text) ? [name] : []));
  return [results, ...pictures.map(({ file }) => file), ...filled].map((name) => join(folder, name));
}

/** The reports in a folder, the newest Node first. */
export function reportsIn(folder: string): readonly Report[] {
  const files = readdirSync(folder).filter((name) => /^node-\d+\.json$/.test(name));
  const reports = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report);
  return reports.toSorted((one, other) => majorOf(other) - majorOf(one));
}

function fileOf(report: Report): string {
  return `node-${majorOf(report)}.json`;
}

/** The part of the folder's page that is about its runs. */
function summary(newest: Report, others: readonly Report[], pictures: readonly Picture[]): string {
  const { cores, cpu, gibibytes, system, placement, redis } = newest.environment;
  return [
    [newest, ...others].map((report) => `- ${run(report)}`).join('\n'),
    'The files have the rates, latencies, CPU and bytes of all contestants under all loads, and the versions of packages.',
    [
      `- ${cores} cores ${cpu}, ${gibibytes} GiB, ${system}, ${redis}. ${placement}.`,
      ...(newest.generator ? [`- HTTP by ${newest.generator}.`] : []),
    ].join('\n'),
    reportTable(newest, others),
    gallery(pictures),
  ].join('\n\n');
}

function run(report: Report): string {
  const { environment, mode, minutes, reruns = [] } = report;
  const file = fileOf(report);
  const later = reruns.map(
    ({ parts, ...rerun }) => ` Again: ${parts.map((part) => `\`${part}\``).join(', ')}, ${when(rerun)}.`,
  );
  return `Node ${environment.node}: [${file}](${file}), ${when({ ...environment, mode, minutes })}.${later.join('')}`;
}

function when({ date, commit, mode, minutes }: Omit<Rerun, 'parts'>): string {
  return `the run of ${date} of ${commit || 'a changed tree'} (${mode} mode, ${minutes.toFixed(0)} minutes)`;
}

/** Puts a text into a page, if it is there and has a place for it. */
function fill(page: string, text: string): boolean {
  if (!existsSync(page)) return false;
  const before = readFileSync(page, 'utf8');
  const [begin, end] = [before.indexOf(BEGIN), before.indexOf(END)];
  if (begin === -1 || end === -1) return false;

  writeFileSync(page, `${before.slice(0, begin)}${BEGIN}\n\n${text}\n\n${before.slice(end)}`);
  return true;
}
