import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';

const PEER = 'express-rate-limit';
const PACKAGES = ['@sluice/core', '@sluice/redis', '@sluice/express', '@sluice/fastify', PEER];
const ROUNDS = 20;
/** The CPU that the import of `@sluice/express` may take, times that of its peer: 1.25 to 1.3 with Redis in it. */
const BOUND = 1.2;

/** What `sluice --help` may take, times `node -e 0`. */
const HELP_BOUND = 3.75;

// npm run tool -- imports: measures the CPU that each package takes to import, beside express-rate-limit, and how long `sluice --help`
// takes beside Node alone. Fails above the bounds.
await install();
if ((await build()) !== 0) process.exit(1);

const formats = { import: ['--input-type=module', '--eval'], require: ['--eval'] };
for (const [format, options] of Object.entries(formats)) {
  const best = Object.fromEntries(PACKAGES.map((name) => [name, Infinity]));
  // In turns, so that a change in the machine's speed meets all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of PACKAGES) best[name] = Math.min(best[name] ?? Infinity, timeOf(name, options));
  }
  const peer = best[PEER] ?? NaN;
  for (const [name, time] of Object.entries(best)) {
    console.log(
      `${format.padEnd(8)}${name.padEnd(20)}${time.toFixed(1).padStart(6)} ms  x ${(time / peer).toFixed(2)}`,
    );
  }
  if (!((best['@sluice/express'] ?? NaN) <= BOUND * peer)) process.exitCode = 1;
}

const programs = { 'node -e 0': ['--eval', '0'], 'sluice --help': ['packages/cli/dist/esm/main.js', '--help'] };
const best = { 'node -e 0': Infinity, 'sluice --help': Infinity };
for (let round = 0; round < ROUNDS; round += 1) {
  for (const name of /** @type {const} */ (['node -e 0', 'sluice --help'])) {
    const start = performance.now();
    execFileSync(process.execPath, programs[name], { cwd: root });
    best[name] = Math.min(best[name], performance.now() - start);
  }
}
const times = best['sluice --help'] / best['node -e 0'];
for (const [name, time] of Object.entries(best))
  console.log(`process ${name.padEnd(20)}${time.toFixed(1).padStart(6)} ms`);
console.log(`sluice --help takes ${times.toFixed(2)} times node -e 0`);
if (!(times <= HELP_BOUND)) process.exitCode = 1;

/** Milliseconds of CPU of one import in a new process. @param {string} name @param {readonly string[]} options */
function timeOf(name, options) {
  const load = options.length > 1 ? `await import('${name}')` : `require('${name}')`;
  const code = `const start = process.cpuUsage(); ${load}; const { user, system } = process.cpuUsage(start); console.log((user + system) / 1e3);`;
  return Number(execFileSync(process.execPath, [...options, code], { cwd: join(root, 'bench'), encoding: 'utf8' }));
}
