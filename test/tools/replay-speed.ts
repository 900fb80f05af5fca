import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';

// Run by `node scripts/command.mjs replay-speed [lines]`: how long `sluice replay` takes for a log of combined lines, also
// in CPU time, which a busy machine changes less, and how much memory. The log has 30 000 clients, a few of which send most
// requests, and 12 requests a second. With --memory: the bytes of a client and of a request, by which more of them raise
// the most memory that a process has had.
const [given] = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const LINES = Number(given ?? 1_000_000);
const CLIENTS = 30_000;
const START = Date.UTC(2026, 10, 20);
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const folder = mkdtempSync(join(tmpdir(), 'sluice-replay-speed-'));
const log = join(folder, 'access.log');
const limits = ['--limits', '300/1m'];
await (process.argv.includes('--memory') ? measureMemory() : measureTimes());
rmSync(folder, { recursive: true });

async function measureTimes(): Promise<void> {
  // A few clients send most requests.
  await writeLog(LINES, (random) => Math.floor(CLIENTS ** random()));
  const buckets = ['--limits', '30/1m token-bucket', '--propose', '0.1%'];
  for (const args of [[], limits, [...limits, '--against', '600/1m'], [...limits, '--propose', '0.1%'], buckets]) {
    const { seconds, cpu, bytes } = await measure(args);
    const times = `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`;
    console.log(`${LINES} lines in ${times}, ${Math.round(bytes / 2 ** 20)} MB at most: replay ${args.join(' ')}`);
  }
}

/** Limits that each client may exceed are tried, so that each has a count in each tier. */
async function measureMemory(): Promise<void> {
  const one = ['--limits', '1/1m'];
  const four = [...one, '--limits', '2/1h', '--against', '2/1m', '--against', '3/1h'];
  const few = LINES / 10;
  // More than all clients need: none of them is left out.
  const heap = ['--max-old-space-size=16384'];
  for (const args of [limits, one, four]) {
    await writeLog(LINES, (_, line) => line % few);
    const before = await measure(args, heap);
    await writeLog(LINES, (_, line) => line);
    const { bytes } = await measure(args, heap);
    const client = (bytes - before.bytes) / (LINES - few);
    await writeLog(2 * LINES, (_, line) => line % few);
    const request = ((await measure(args, heap)).bytes - before.bytes) / LINES;
    console.log(`a client ${Math.round(client)} bytes, a request ${Math.round(request)}: replay ${args.join(' ')}`);
  }
}

/** @param clientOf the number of the client of a line */
async function writeLog(lines: number, clientOf: (random: () => number, line: number) => number): Promise<void> {
  const output = createWriteStream(log);
  let state = 1;
  // A linear congruential generator: the same log each time.
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let line = 0; line < lines; line += 1) {
    const client = clientOf(random, line);
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
async function measure(
  args: readonly string[],
  node: readonly string[] = [],
): Promise<Record<'seconds' | 'cpu' | 'bytes', number>> {
  const usage = 'JSON.stringify(process.resourceUsage())';
  const atExit = `data:text/javascript,process.on("exit",()=>console.error(${usage}))`;
  const main = join(root, 'packages', 'cli', 'dist', 'esm', 'main.js');
  const started = performance.now();
  const child = spawn(process.execPath, [...node, '--import', atExit, main, 'replay', log, '--quiet', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [printed] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(printed) as NodeJS.ResourceUsage;
  return {
    seconds: (performance.now() - started) / 1e3,
    cpu: (userCPUTime + systemCPUTime) / 1e6,
    bytes: maxRSS * 1_024,
  };
}
