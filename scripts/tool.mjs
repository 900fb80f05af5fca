import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * Tools that few people need, by name: what each does, and the program that does it.
 *
 * @type {Readonly<Record<string, readonly [purpose: string, ...program: string[]]>>}
 */
const TOOLS = {
  bytes: ['measures the Redis memory of each algorithm', 'command.mjs', 'bytes'],
  'check-packages': ['packs the packages, and checks their exports (publint, attw)', 'check-packages.mjs'],
  coverage: ['runs the tests with coverage', 'test.mjs', '--coverage'],
  'dashboard-cost': [
    'measures what a dashboard costs a decision, without a page and with ten',
    'command.mjs',
    'dashboard-cost',
  ],
  'dashboard-pictures': [
    'takes the pictures of the dashboard in a browser; --all FOLDER takes every view',
    'command.mjs',
    'dashboard-pictures',
  ],
  imports: ['measures the CPU time of an import, and how long sluice --help takes to start', 'imports.mjs'],
  leaks: [
    'lets clients of each framework leave at random for ten minutes; Redis must store what runs, and no more',
    'command.mjs',
    'leaks',
  ],
  'list-starts': [
    'starts 50 processes with a deny list of 100 000 networks, and measures what checks wait',
    'command.mjs',
    'list-starts',
  ],
  mutants: ['plants small faults in a copy of the product; the specs must catch each of them', 'mutants.mjs'],
  'outbound-rate': ['measures how fast run begins calls, in memory and on Redis', 'command.mjs', 'outbound-rate'],
  pictures: ['draws the pictures of the algorithms', 'pictures.mjs'],
  soak: [
    'injects random faults for ten minutes; heap, keys, timers and handles must stay bounded',
    'command.mjs',
    'soak',
  ],
  'store-cost': [
    'measures what a check costs with the stores of the examples, beside memory and Redis',
    'command.mjs',
    'store-cost',
  ],
  twin: ['replays a million random steps of each algorithm in Lua, TypeScript and a model', 'command.mjs', 'twin'],
};

const [name = '', ...args] = process.argv.slice(2);
const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
if (tool === undefined) {
  if (name !== '') console.error(`There is no tool ${name}.\n`);
  console.log('npm run tool -- NAME [arguments]; most tools know --help\n');
  for (const [each, [purpose]] of Object.entries(TOOLS)) console.log(`${each.padEnd(20)}${purpose}`);
  process.exitCode = name === '' ? 0 : 2;
} else {
  const [, program = '', ...first] = tool;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', program), ...first, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
