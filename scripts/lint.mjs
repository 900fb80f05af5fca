import { build } from './build.mjs';
import { costText } from './cost.mjs';
import { install } from './install.mjs';
import { checkLines } from './lines.mjs';
import { checkNumbers } from './numbers.mjs';
import { printTool, run } from './run.mjs';

const LEGACY_DECORATORS = 'test/adapters/decorators/tsconfig.legacy.json';

/** Two at a time, those that take longest first. @type {Record<string, () => number | Promise<number>>} */
const checks = {
  // With the errors of the compiler: a compiler beside it would read and check all of the same programs again.
  'lint and types': () => printTool('oxlint', ['--type-aware', '--type-check', '--deny-warnings']),
  layers: () => printTool('depcruise', ['--config', '.dependency-cruiser.mjs', 'packages/*/src']),
  'types of legacy decorators': () => printTool('tsc', ['--project', LEGACY_DECORATORS, '--checkers', '1']),
  format: () => printTool('oxfmt', ['--check']),
  'generated Lua': () => run(process.execPath, ['scripts/embed-lua.mjs', '--check']),
  numbers: () => checkNumbers(),
  lines: () => checkLines(),
};

await install();
// The examples use the packages as their users do: by what was built.
const failed = (await build()) === 0 ? [] : ['build'];
const waiting = Object.entries(checks);
await Promise.all([checkNext(), checkNext()]);
console.log(costText());
console.log(failed.length === 0 ? 'Lint: clean.' : `Lint: failed in ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function checkNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, check] = next;
    if ((await check()) !== 0) failed.push(name);
  }
}
