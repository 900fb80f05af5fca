import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';

const PEER = 'express-rate-limit';
const PACKAGES = ['@sluice/core', '@sluice/express', '@sluice/fastify', PEER];
const ROUNDS = 20;
/** What the import of `@sluice/express` may take, times the import of its peer. */
const BOUND = 1.15;

// npm run imports: measures how long each package takes to import, beside express-rate-limit, and fails above the bound.
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

/** Milliseconds of one import in a new process. @param {string} name @param {readonly string[]} options */
function timeOf(name, options) {
  const load = options.length > 1 ? `await import('${name}')` : `require('${name}')`;
  const code = `const start = performance.now(); ${load}; console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, [...options, code], { cwd: join(root, 'bench'), encoding: 'utf8' }));
}
