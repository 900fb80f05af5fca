import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';

// Run by `node scripts/command.mjs replay-speed [lines]`: how long `sluice replay` takes for a log of combined lines, also
// in CPU time, which a busy machine changes less, and how much memory. The log has 30 000 clients, a few of which send most requests, and 12 requests a second.
const LINES = Number(process.argv[2] ?? 1_000_000);
const CLIENTS = 30_000;
const START = Date.UTC(2026, 10, 20);
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const folder = mkdtempSync(join(tmpdir(), 'sluice-replay-speed-'));
const log = join(folder, 'access.log');
await writeLog();
const limits = ['--limits', '300/1m'];
const buckets = ['--limits', '30/1m token-bucket', '--propose', '0.1%'];
for (const args of [[], limits, [...limits, '--against', '600/1m'], [...limits, '--propose', '0.1%'], buckets]) {
  const { seconds, cpu, megabytes } = await measure(args);
  const times = `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`;
  console.log(`${LINES} lines in ${times}, ${megabytes} MB at most: replay ${args.join(' ')}`);
}
rmSync(folder, { recursive: true });

async function writeLog(): Promise<void> {
  const output = createWriteStream(log);
  let state = 1;
  // A linear congruential generator: the same log each time.
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let line = 0; line < LINES; line += 1) {
    const client = Math.floor(CLIENTS ** random());
    const ip = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
    const request = `"GET /api/items/${line % 9_973}?page=2 HTTP/1.1" 200 ${line % 90_001}`;
    const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36';
    const entry = `${ip} - - [${timeAt(line / 12)}] ${request} "https://example.com/start" "${agent}"\n`;
    if (!output.write(entry)) await once(output, 'drain');
  }
  output.end();
  await finished(output);
}

function timeAt(seconds: number): string {
  const date = new Date(START + seconds * 1e3);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  return `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}:${clock} +0000`;
}

/** Of a process of its own, from its start to its end. */
async function measure(args: readonly string[]): Promise<Record<'seconds' | 'cpu' | 'megabytes', number>> {
  const usage = 'JSON.stringify(process.resourceUsage())';
  const atExit = `data:text/javascript,process.on("exit",()=>console.error(${usage}))`;
  const main = join(root, 'packages', 'cli', 'dist', 'esm', 'main.js');
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', atExit, main, 'replay', log, '--quiet', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [printed] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(printed) as NodeJS.ResourceUsage;
  return {
    seconds: (performance.now() - started) / 1e3,
    cpu: (userCPUTime + systemCPUTime) / 1e6,
    megabytes: Math.round(maxRSS / 1_024),
  };
}
