import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { barTable, markdown } from './markdown.js';
import { barsOf } from './bars.js';
import { picturesOf } from './pictures.js';
import type { Report } from './report.js';

const BEGIN = '<!-- results -->';
const END = '<!-- end of results -->';

/** Writes a report into a folder, and returns the paths of its files. */
export function writeReport(report: Report, folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const pictures = picturesOf(report);
  const files = [
    ['results.json', `${JSON.stringify(report, undefined, 2)}\n`],
    ['results.md', markdown(report, pictures)],
    ...pictures.map(({ file, svg }) => [file, svg] as const),
  ] as const;
  for (const [name, text] of files) writeFileSync(join(folder, name), text);

  const page = join(folder, 'README.md');
  const paths = files.map(([name]) => join(folder, name));
  return summarize(page, report) ? [...paths, page] : paths;
}

/** Puts the bars into the page of the folder, if it has a place for them. */
function summarize(page: string, report: Report): boolean {
  if (!existsSync(page)) return false;
  const text = readFileSync(page, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end === -1) return false;

  const { date, redis, node } = report.environment;
  const summary = [
    `The run of ${date} (${report.mode} mode, Node ${node}, ${redis}). [All of its tables](results.md).`,
    barTable(barsOf(report)),
  ].join('\n\n');
  writeFileSync(page, `${text.slice(0, begin)}${BEGIN}\n\n${summary}\n\n${text.slice(end)}`);
  return true;
}
