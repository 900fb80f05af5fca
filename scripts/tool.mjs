import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isMain, root } from './root.mjs';

/**
 * Tools for special work, by name: what each does, and the program that does it.
 *
 * @type {Readonly<Record<string, readonly [purpose: string, ...program: string[]]>>}
 */
export const TOOLS = {
  accuracy: [
    'measures the worst case of each algorithm, and its distance from the exact log',
    'command.mjs',
    'accuracy',
  ],
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
  'fair-shares': ['measures what tenants and processes get of a limit in flight', 'command.mjs', 'fair-shares'],
  faults: ['injects one fault after the other into real servers under traffic', 'command.mjs', 'faults'],
  imports: ['measures the CPU time of an import, and how long sluice --help takes to start', 'imports.mjs'],
  laws: ['checks each law by many random histories: laws RUNS', 'laws.mjs'],
  leaks: [
    'lets clients of each framework leave at random for ten minutes; Redis must store what runs, and no more',
    'command.mjs',
    'leaks',
  ],
  lines: ['prints the lines of each folder of the packages beside its budget', 'lines.mjs'],
  'list-starts': [
    'starts 50 processes with a deny list of 100 000 networks, and measures what checks wait',
    'command.mjs',
    'list-starts',
  ],
  matrix: ['runs the specs on each supported version, and writes its page', 'command.mjs', 'matrix'],
  models: ['examines every order of events in three models; --broken breaks each protocol', 'models.mjs'],
  monitoring: ['writes the dashboard and the alerts in monitoring/', 'monitoring.mjs'],
  mutants: ['plants small faults in a copy of the product; the specs must catch each of them', 'mutants.mjs'],
  'one-key': [
    'measures workers that share one key, in real time: exact waits, jitter and a line, over HTTP',
    'command.mjs',
    'one-key',
  ],
  'outbound-rate': ['measures how fast run begins calls, in memory and on Redis', 'command.mjs', 'outbound-rate'],
  overload: ['floods servers of each framework at up to 12 times their capacity', 'command.mjs', 'overload'],
  pack: ['packs the packages into packed/, and prints how to install them', 'release-files.mjs'],
  path: ['prints the product files that one admitted request runs through: path [memory]', 'request-path.mjs'],
  pictures: ['draws the pictures of the algorithms', 'pictures.mjs'],
  rehearse: ['does a whole release with a registry on this machine', 'rehearse.mjs'],
  'replay-speed': ['measures the time and memory of sluice replay', 'command.mjs', 'replay-speed'],
  script: ['prints the script that Redis runs for tiers of given policies', 'command.mjs', 'script'],
  simulate: ['runs 10 000 fleets on a simulated Redis and network, two faults at a time', 'command.mjs', 'simulate'],
  'server-load': [
    'measures a call of the service beside a bare call of gRPC and the middleware; --memory a million identities',
    '../bench/src/server/measure.mjs',
  ],
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
  tricks: ['measures what each speed trick is worth, on and off in one run', 'tricks.mjs'],
  twin: ['replays a million random steps of each algorithm in Lua, TypeScript and a model', 'command.mjs', 'twin'],
  'waiting-line': [
    'measures the longest turn of the event loop while 20 000 callers wait in one line',
    'command.mjs',
    'waiting-line',
  ],
};

/** @param {string} name @param {readonly string[]} args */
function runTool(name, args) {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) {
    if (name !== '') console.error(`There is no tool ${name}.\n`);
    console.log('npm run tool -- NAME [arguments]; most tools know --help\n');
    for (const [each, [purpose]] of Object.entries(TOOLS)) console.log(`${each.padEnd(20)}${purpose}`);
    return name === '' ? 0 : 2;
  }
  const [, program = '', ...first] = tool;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', program), ...first, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  return status ?? 1;
}

if (isMain(import.meta.url)) {
  const [name = '', ...args] = process.argv.slice(2);
  process.exitCode = runTool(name, args);
}
