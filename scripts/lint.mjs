import { availableParallelism } from 'node:os';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkProse } from './prose.mjs';
import { run, runTool } from './run.mjs';

/** Each checks the types of the libraries again: on two cores two take three quarters of the time of four, the default. */
const checkers = ['--checkers', String(Math.min(4, availableParallelism()))];

/** @type {Record<string, () => number | Promise<number>>} */
const checks = {
  // The examples use the packages as their users do: by what was built.
  build: () => build(),
  'generated Lua': () => run(process.execPath, ['scripts/embed-lua.mjs', '--check']),
  format: () => runTool('oxfmt', ['--check']),
  lint: () => runTool('oxlint', ['--type-aware', '--deny-warnings']),
  types: () => runTool('tsc', ['--project', 'tsconfig.check.json', ...checkers]),
  // Nest's decorators are not those of the standard.
  'types of Nest': () => runTool('tsc', ['--project', 'test/adapters/nestjs', ...checkers]),
  // These run in a browser.
  'types of the dashboard page': () => runTool('tsc', ['--project', 'packages/dashboard/page']),
  'types of the site': () => runTool('tsc', ['--project', 'site/.vitepress/theme']),
  layers: () => runTool('depcruise', ['--config', '.dependency-cruiser.mjs', 'packages/*/src']),
  prose: () => checkProse(),
};

await install();
const failed = [];
for (const [name, check] of Object.entries(checks)) {
  if ((await check()) !== 0) failed.push(name);
}
console.log(failed.length === 0 ? 'Lint: clean.' : `Lint: failed in ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
