import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { redisServer } from './redis-server.mjs';
import { root } from './root.mjs';
import { run, runTool } from './run.mjs';

// npm run bench [arguments]: measures the packages as they are built, side by side with others.
await install();
const built = await build();
if (built !== 0) process.exit(built);

// All arguments are checked by the process that measures.
const { node = process.execPath } = parseArgs({ strict: false, options: { node: { type: 'string' } } }).values;
const child = spawn(
  String(node),
  ['--expose-gc', '--import', './test/tools/typescript.mjs', join('bench', 'src', 'main.ts'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, SLUICE_REDIS_SERVER: redisServer() },
  },
);
/** @type {readonly string[]} */
let files = [];
child.on('message', (message) => (files = /** @type {{ files: readonly string[] }} */ (message).files));
const [code] = await once(child, 'close');
if (files.length > 0)
  await runTool(
    'oxfmt',
    files.filter((file) => !file.endsWith('.svg')),
  );
process.exitCode = code ?? 1;
const { only } = parseArgs({ strict: false, options: { only: { type: 'string', multiple: true } } }).values;
// What is served beside other ways to limit. It takes minutes, and is no part of a whole run.
if (code === 0 && only?.length === 1 && only[0] === 'overload') {
  for (const way of ['--load=1.2,2,5,12', '--stuck', '--mixed']) {
    process.exitCode ||= await run(process.execPath, ['scripts/command.mjs', 'overload', '--pool', way]);
  }
}
