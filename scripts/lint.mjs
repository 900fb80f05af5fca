import { availableParallelism } from 'node:os';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkProse } from './prose.mjs';
import { printTool, run } from './run.mjs';

/** Each checks the types of the libraries again: on two cores two take three quarters of the time of four, the default. */
const checkers = ['--checkers', String(Math.min(4, availableParallelism()))];

/** Two at a time, those that take longest first. @type {Record<string, () => number | Promise<number>>} */
const checks = {
  types: () => printTool('tsc', ['--project', 'tsconfig.check.json', ...checkers]),
  lint: () => printTool('oxlint', ['--type-aware', '--deny-warnings']),
  layers: () => printTool('depcruise', ['--config', '.dependency-cruiser.mjs', 'packages/*/src']),
  // Nest's decorators are not those of the standard, and ours are both.
  'types with legacy decorators': () => printTool('tsc', ['--project', 'test/adapters/nestjs', ...checkers]),
  // These run in a browser.
  'types of the dashboard page': () => printTool('tsc', ['--project', 'packages/dashboard/page']),
  'types of the site': () => printTool('tsc', ['--project', 'site/.vitepress/theme']),
  format: () => printTool('oxfmt', ['--check']),
  'generated Lua': () => run(process.execPath, ['scripts/embed-lua.mjs', '--check']),
  prose: () => checkProse(),
};

await install();
// The examples use the packages as their users do: by what was built.
const failed = (await build()) === 0 ? [] : ['build'];
const waiting = Object.entries(checks);
await Promise.all([checkNext(), checkNext()]);
console.log(failed.length === 0 ? 'Lint: clean.' : `Lint: failed in ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function checkNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, check] = next;
    if ((await check()) !== 0) failed.push(name);
  }
}
