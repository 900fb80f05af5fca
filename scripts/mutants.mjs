import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutants } from '../test/mutants/mutants.mjs';
import { redisServer } from './redis-server.mjs';
import { isMain, root } from './root.mjs';
import { startsPrograms } from './starts-programs.mjs';
import { copyWorkspace } from './workspace-copy.mjs';

/** @typedef {import('../test/mutants/mutants.mjs').Mutant} Mutant */

const BUILD = 'scripts/build.mjs';
const EMBED = 'scripts/embed-lua.mjs';
const JEST = 'node_modules/jest/bin/jest.js';
const SCRIPTS = 'packages/core/src/scripts/scripts.ts';
/** A fault can make a spec hang. */
const TIMEOUT_MS = 120_000;
/** The time of a spec whose name ends with `.long.spec.ts`. */
const LONG_TIMEOUT_MS = 600_000;
/** The end of a failure that time has made. */
const LATE = ' (out of time)';

/**
 * Plants one fault after the other in a copy of the workspace, and runs the specs that must catch it. Returns an exit
 * code: 0 if all faults were caught.
 *
 * @param {readonly Mutant[]} chosen
 */
export function runMutants(chosen) {
  const stale = chosen.filter((mutant) => occurrences(mutant) !== 1);
  for (const { name, file, text } of stale) console.error(`${name}: ${file} must contain this text once:\n${text}\n`);
  if (stale.length > 0) return 1;

  const copy = builtCopy();
  process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  const soundFailure = failuresWithoutFault(copy);
  const notCaught = chosen.filter((mutant) => {
    const sound = mutant.specs.map(soundFailure).find((text) => text !== undefined);
    const caughtBy = sound === undefined ? plant(copy, mutant) : undefined;
    // A machine that is busy by now fails specs by time without the fault too.
    const failure = caughtBy?.endsWith(LATE) ? firstFailure(copy, mutant.specs) : sound;
    if (failure !== undefined) console.log(`UNTRIED   ${mutant.name}\n          fails without it: ${failure}`);
    else console.log(caughtBy ? `caught    ${mutant.name}\n          by ${caughtBy}` : `SURVIVED  ${mutant.name}`);
    return failure !== undefined || caughtBy === undefined;
  });
  console.log(`\n${chosen.length} faults, ${chosen.length - notCaught.length} caught`);
  for (const { name, file } of notCaught) console.log(`not caught: ${name} (${file})`);
  return notCaught.length === 0 ? 0 : 1;
}

/** How often the product has the text that a fault replaces. @param {Pick<Mutant, 'file' | 'text'>} mutant */
export function occurrences({ file, text }) {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8').split(text).length - 1 : 0;
}

/** Returns the folder of the copy, with dependencies of its own. */
function builtCopy() {
  const copy = copyWorkspace('mutants');
  const { status, output } = run(copy, BUILD);
  if (status !== 0) throw new Error(`the copy cannot be built: ${output}`);
  return copy;
}

/** Runs the specs of a fault with the fault, and takes it out again. @param {string} copy @param {Mutant} mutant */
function plant(copy, { file, text, replacement, specs }) {
  const path = join(copy, file);
  const sound = readFileSync(path, 'utf8');
  const soundScripts = readFileSync(join(copy, SCRIPTS), 'utf8');
  writeFileSync(
    path,
    sound.replace(text, () => replacement),
  );
  try {
    if (file.endsWith('.lua')) run(copy, EMBED);
    return firstFailure(copy, specs);
  } finally {
    writeFileSync(path, sound);
    writeFileSync(join(copy, SCRIPTS), soundScripts);
  }
}

/**
 * Returns the failure of a spec without a fault, from its one run. Such a spec would catch every fault.
 *
 * @param {string} copy
 * @returns {(spec: string) => string | undefined}
 */
function failuresWithoutFault(copy) {
  /** @type {Map<string, string | undefined>} */
  const failures = new Map();
  return (spec) => {
    if (!failures.has(spec)) failures.set(spec, firstFailure(copy, [spec]));
    return failures.get(spec);
  };
}

/** Runs specs one after the other, until one fails. @param {string} copy @param {readonly string[]} specs */
function firstFailure(copy, specs) {
  for (const spec of specs) {
    // A fault may break a type, and the compiler still writes the JavaScript.
    if (startsPrograms(copy, spec)) run(copy, BUILD, '--despite-types');
    const { status, output } = run(copy, JEST, '--bail', '--forceExit', spec);
    if (status === null) return `${spec}: no end within ${timeoutOf(spec) / 1e3} s${LATE}`;
    if (status !== 0) return failureIn(output);
  }
  return undefined;
}

/** The first test that failed. @param {string} output of jest */
function failureIn(output) {
  const [, file, test, , reason = ''] = /^FAIL (\S+)[^]*?^ +\u25CF (.+)$(\s+(.+)$)?/m.exec(output) ?? [];
  // A spec that does not load has caught nothing.
  if (test === undefined || test === 'Test suite failed to run') throw new Error(`jest cannot run: ${output}`);
  return `${file}: ${test}${reason.includes('Exceeded timeout') ? LATE : ''}`;
}

/** @param {string | undefined} spec */
function timeoutOf(spec) {
  return spec?.includes('.long.spec') ? LONG_TIMEOUT_MS : TIMEOUT_MS;
}

/** Runs a program of the copy. @param {string} copy @param {readonly string[]} command */
function run(copy, ...command) {
  const { status, signal, error, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: copy,
    encoding: 'utf8',
    ...(command.includes(JEST) && { timeout: timeoutOf(command.at(-1)) }),
    maxBuffer: 2 ** 28,
    // Specs that start programs have a build from here, and would stop at a wrong type themselves.
    env: { ...process.env, SLUICE_REDIS_SERVER: redisServer(), SLUICE_BUILT: '1' },
  });
  const isLate = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
  if (signal !== null && !isLate) throw new Error(`${signal} has ended the run`);
  return { status, output: `${stdout}\n${stderr}` };
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [''] },
      // 2/3 is the second of three parts, for machines that work side by side.
      shard: { type: 'string', default: '1/1' },
      list: { type: 'boolean' },
    },
  });
  const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
  const chosen = mutants
    .filter(({ name, file }) => values.only.some((part) => `${name} ${file}`.includes(part)))
    .filter((_mutant, index) => index % shards === shard - 1);
  if (values.list) for (const { name, file } of chosen) console.log(`${name} (${file})`);
  else process.exitCode = runMutants(chosen);
}
