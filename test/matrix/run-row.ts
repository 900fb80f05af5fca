import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './cache.js';
import { chosenSpecs } from './chosen-specs.js';
import { afterRepeat, failedFiles, outcomeOf, type JestReport, type Outcome } from './outcome.js';
import type { Result } from './results.js';
import { Gap, slugOf, type Row, type Setting } from './row.js';

const MINUTE = 60_000;
/** The whole suite takes half of it on two free cores. */
const TIME_LIMIT = 25 * MINUTE;

/** Runs the specs of a row, and those that failed a second time, alone. Never throws for what a row lacks. */
export async function runRow(row: Row, say: (text: string) => void): Promise<Result> {
  const begun = performance.now();
  const result = (more: Omit<Result, 'date' | 'seconds'>): Result => ({
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round((performance.now() - begun) / 1e3),
    ...more,
  });
  let setting: Setting | undefined;
  try {
    setting = await row.prepare();
    const { version } = setting;
    say(`${row.name}: ${version}`);
    const specs = row.specs && (await chosenSpecs(row.specs));
    const { outcome, leftOut } = await runSpecs(row, setting, specs ?? [], say);
    const gap = specs === undefined && leftOut.length > 0 ? { gap: leftOut.join(' ') } : {};
    const files = failedFiles(outcome);
    if (files.length === 0) return result({ version, outcome, ...gap });
    say(`${row.name}: ${outcome.failed} failed; ${files.length} files run again`);
    const second = await runSpecs(row, setting, files, say);
    return result({ version, outcome: afterRepeat(outcome, second.outcome), ...gap });
  } catch (error) {
    if (!(error instanceof Gap)) throw error;
    return result({ ...(setting && { version: setting.version }), gap: error.message });
  } finally {
    await setting?.dispose();
  }
}

/** Runs files, or the whole suite, as `npm test` does. */
async function runSpecs(
  row: Row,
  { folder, environment }: Setting,
  specs: readonly string[],
  say: (text: string) => void,
): Promise<{ outcome: Outcome; leftOut: readonly string[] }> {
  mkdirSync(cache, { recursive: true });
  const report = join(cache, `${slugOf(row)}.json`);
  rmSync(report, { force: true });
  const chosen = specs.length > 0 ? ['--runTestsByPath', ...specs] : [];
  const args = ['scripts/test.mjs', ...chosen, '--json', `--outputFile=${report}`];
  const child = spawn('node', args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which can be ended with all that it started.
    detached: true,
  });
  const stop = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM');
  process.once('exit', stop);
  const timeLimit = setTimeout(stop, TIME_LIMIT);
  const log = createWriteStream(join(cache, `${slugOf(row)}.log`), { flags: 'a' });
  let ended = 0;
  const leftOut: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(log, { end: false });
    stream.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      ended += text.match(/^(PASS|FAIL) /gm)?.length ?? 0;
      leftOut.push(...(text.match(/^test\/\w+ did not run/gm) ?? []));
    });
  }
  const progress = setInterval(() => say(`${row.name}: ${ended} of ${specs.length || 'all'} files`), MINUTE);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(timeLimit);
  clearInterval(progress);
  process.off('exit', stop);
  log.end();
  if (existsSync(report)) {
    return { outcome: outcomeOf(JSON.parse(readFileSync(report, 'utf8')) as JestReport, folder), leftOut };
  }
  throw new Gap(code === null ? `no end within ${TIME_LIMIT / MINUTE} minutes` : 'the workspace cannot be built');
}
