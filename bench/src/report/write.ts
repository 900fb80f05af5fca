import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitTable } from './limits.js';
import { barTable, gallery } from './markdown.js';
import { barsOf } from './bars.js';
import { picturesOf, type Picture } from './pictures.js';
import type { Report } from './report.js';

const BEGIN = '<!-- results -->';
const END = '<!-- end of results -->';

/** Writes a report into a folder, and returns the paths of its files. */
export function writeReport(report: Report, folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const pictures = picturesOf(report);
  const files = [
    ['results.json', `${JSON.stringify(report, undefined, 2)}\n`],
    ...pictures.map(({ file, svg }) => [file, svg] as const),
  ] as const;
  for (const [name, text] of files) writeFileSync(join(folder, name), text);

  const pages = [
    ['README.md', summary(report, pictures)],
    ['limits.md', `From the run of ${report.environment.date}.\n\n${limitTable(report)}`],
  ] as const;
  const filled = pages.filter(([name, text]) => fill(join(folder, name), text));
  return [...files, ...filled].map(([name]) => join(folder, name));
}

/** The part of the folder's page that is about a run. */
function summary(report: Report, pictures: readonly Picture[]): string {
  const { date, commit, cores, cpu, gibibytes, system, placement, redis, node, packages } = report.environment;
  return [
    `The run of ${date} of ${commit ?? 'a changed tree'} (${report.mode} mode, ${report.minutes.toFixed(0)} minutes). ` +
      '[results.json](results.json) has the rates, latencies, CPU and bytes of all contestants under all loads.',
    [
      `- ${cores} cores ${cpu}, ${gibibytes} GiB, ${system}, Node ${node}, ${redis}. ${placement}.`,
      ...(report.generator ? [`- HTTP by ${report.generator}.`] : []),
      `- ${Object.entries(packages)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}`,
    ].join('\n'),
    barTable(barsOf(report)),
    gallery(pictures),
  ].join('\n\n');
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
