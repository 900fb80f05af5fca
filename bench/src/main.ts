import { join, resolve } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { readArguments, Usage } from './arguments.js';
import { measureAll, plannedSeconds } from './measure-all.js';
import { raceTable, reportTable } from './report/markdown.js';
import type { Report } from './report/report.js';
import { writeReport } from './report/write.js';

// npm run bench. Needs `--expose-gc`, and the packages built.
try {
  const options = readArguments(process.argv.slice(2), join(root, 'docs', 'benchmarks'));
  const planned = plannedSeconds(options);
  console.log(planned < 60 ? 'Less than a minute.' : `About ${Math.round(planned / 6) / 10} minutes.`);
  const report = await measureAll(options);
  show(report);
  if (options.out !== undefined) {
    const files = writeReport(report, resolve(options.out));
    console.log(`\n${files.join('\n')}`);
    // The parent script formats them.
    process.send?.({ files });
  }
  const lost = report.tables.flatMap(({ title, rows }) =>
    rows.flatMap(({ contestant, trouble }) => (trouble === undefined ? [] : [`${title}: ${contestant}: ${trouble}`])),
  );
  for (const each of lost) console.error(`NOT COUNTED  ${each}`);
  // A slice of a smoke test is so short that any pause of the machine loses it.
  if (lost.length > 0 && options.mode.name !== 'smoke') process.exitCode = 1;
  process.disconnect?.();
} catch (error) {
  if (!(error instanceof Usage)) throw error;
  console.error(error.message);
  process.exitCode = 2;
  process.disconnect?.();
}

function show(report: Report): void {
  for (const table of report.tables) console.log(`\n${table.title}\n\n${raceTable(table)}`);
  for (const { contestant, where, bytes } of report.footprints) {
    console.log(`${Math.round(bytes)} bytes a key in ${where === 'redis' ? 'Redis' : 'the heap'}: ${contestant}`);
  }
  console.log(`\n${reportTable(report)}`);
}
