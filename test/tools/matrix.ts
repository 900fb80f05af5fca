import { availableParallelism } from 'node:os';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PAGE, supportPage } from '../matrix/page.js';
import { isGreen, readResults, writeResults, type Result } from '../matrix/results.js';
import { slugOf } from '../matrix/row.js';
import { rows } from '../matrix/rows.js';
import { runRow } from '../matrix/run-row.js';
import { support } from '../matrix/support.js';

const HELP = `npm run tool -- matrix [--only node] [--resume] [--list] [--page]

Runs the specs on each version that the packages support, one row after the other, and writes docs/reference/support.md.

--only    an axis (node, servers, clients, frameworks) or a row (valkey-9); several times for several
--resume  leaves out the rows that passed today
--list    prints the names of the rows as JSON
--page    writes the page of the results that are there`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      resume: { type: 'boolean' },
      list: { type: 'boolean' },
      page: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const named = (name: string) => rows.filter((row) => row.axis === name || slugOf(row) === name);
  const chosen = values.only ? [...new Set(values.only.flatMap(named))] : rows;
  if (values.help) return console.log(HELP);
  if (values.list) return console.log(JSON.stringify(chosen.map(slugOf)));
  if (chosen.length === 0) throw new Error(`--only names no row of: ${rows.map(slugOf).join(', ')}`);
  if (values.page) return writeFileSync(PAGE, supportPage(support()));
  await run(values.resume ? chosen.filter((row) => !isFromToday(readResults()[row.name])) : chosen);
}

/** Runs rows, and stores each result at once: a run that is interrupted can be resumed. */
async function run(chosen: typeof rows): Promise<void> {
  const begun = performance.now();
  // Signals end the process by its exit handlers, which end the row.
  process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));
  for (const [index, row] of chosen.entries()) {
    console.log(`[${index + 1}/${chosen.length}] ${row.name}`);
    const result = await runRow(row, (text) => console.log(`  ${text}`));
    writeResults({ ...readResults(), [row.name]: result });
    writeFileSync(PAGE, supportPage(support()));
    report(result);
    if (!isGreen(result)) process.exitCode = 1;
  }
  const minutes = ((performance.now() - begun) / 60_000).toFixed(0);
  console.log(`${chosen.length} rows in ${minutes} minutes on ${availableParallelism()} cores`);
}

function report({ outcome, gap, seconds }: Result): void {
  if (!outcome) return console.log(`  GAP: ${gap}`);
  for (const name of outcome.unsteady) console.log(`  passed only the second time: ${name}`);
  for (const name of outcome.failures) console.log(`  FAILED: ${name}`);
  console.log(`  ${outcome.passed} passed, ${outcome.failed} failed in ${seconds} s`);
}

function isFromToday(result: Result | undefined): boolean {
  return isGreen(result) && result!.date === new Date().toISOString().slice(0, 10);
}

await main();
