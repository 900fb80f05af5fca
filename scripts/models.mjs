import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { models } from '../test/models/models.mjs';
import { isMain, root } from './root.mjs';
import { spinAdvice, spinTools } from './spin.mjs';

/** @typedef {import('../test/models/models.mjs').Model} Model */
/** @typedef {import('../test/models/models.mjs').Break} Break */
/** @typedef {{ spin: string, compiler: string }} Tools */

/**
 * @typedef {object} Verdict
 * @property {string | undefined} violation the claim that does not hold; undefined if all claims hold in every state
 * @property {number} states
 * @property {number} depth steps of the longest path
 * @property {string} story the path to the violation
 */

/** The text of a model. @param {Model} model @param {Break} [fault] replaces a part of it */
export function textOf({ file }, fault) {
  const sound = readFileSync(join(root, 'test', 'models', file), 'utf8');
  return fault ? sound.replace(fault.text, () => fault.replacement) : sound;
}

/**
 * Examines every state of a model.
 *
 * @param {Tools} tools
 * @param {Model} model
 * @param {Break} [fault]
 * @param {'CLAIM' | 'EXCEPT'} [examined] the claim of the fault alone, or all others
 * @returns {Verdict}
 */
export function check({ spin, compiler }, model, fault, examined) {
  const folder = join(
    root,
    'node_modules',
    '.cache',
    'sluice',
    'models',
    `${model.name.replaceAll(' ', '-')}.${process.pid}`,
  );
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'model.pml'), textOf(model, fault));
    const bounds = fault && examined ? { ...model.bounds, [examined]: fault.claim } : model.bounds;
    const numbers = Object.entries(bounds).map(([name, value]) => `-D${name}=${value}`);
    run(folder, spin, ...numbers, '-a', 'model.pml');
    run(
      folder,
      compiler,
      '-O1',
      '-w',
      '-DSAFETY',
      '-DCOLLAPSE',
      '-DVECTORSZ=4096',
      ...(model.flags ?? []),
      '-o',
      'pan',
      'pan.c',
    );
    // -E: a process that waits for ever is no error: a claim about the end says what must hold then.
    const report = run(folder, './pan', '-E', '-m1000000', '-w22');
    const isViolated = report.includes('assertion violated');
    if (!isViolated && !/errors: 0\b/.test(report)) throw new Error(report);
    if (/max search depth too small/.test(report)) throw new Error(`the search was not exhaustive: ${report}`);
    const story = isViolated ? run(folder, spin, ...numbers, '-t', '-p', 'model.pml') : '';
    const violation = isViolated ? claimIn(story, textOf(model, fault)) : undefined;
    return {
      violation,
      story,
      states: numberIn(report, / ([\d.e+]+) states, stored/),
      depth: numberIn(report, /depth reached (\d+)/),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The claim at the end of a path. @param {string} story @param {string} text of the model */
function claimIn(story, text) {
  const [, line] = /model\.pml:(\d+), Error: assertion violated/.exec(story) ?? [];
  return /assert\((.*)\)/.exec(text.split('\n')[Number(line) - 1] ?? '')?.[1] ?? story;
}

/** @param {string} report @param {RegExp} pattern */
function numberIn(report, pattern) {
  return Number(pattern.exec(report)?.[1]);
}

/** @param {string} folder @param {string} program @param {...string} args */
function run(folder, program, ...args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} has failed: ${stdout}${stderr}`);
  return stdout;
}

/** @param {Tools} tools @param {Model} model */
function prove(tools, model) {
  const startedAt = performance.now();
  const { violation, states, depth, story } = check(tools, model);
  const seconds = ((performance.now() - startedAt) / 1e3).toFixed(1);
  if (violation !== undefined) console.log(story.split('\n').slice(-80).join('\n'));
  const verdict = violation === undefined ? 'holds' : `VIOLATED: ${violation}`;
  console.log(`${model.name}: ${verdict}: ${states.toLocaleString('en')} states, depth ${depth}, ${seconds} s`);
  return violation === undefined;
}

/**
 * A break must violate its claim, and no other one, so that each claim is shown to say something of its own.
 *
 * @param {Tools} tools
 * @param {Model} model
 * @param {Break} fault
 */
function disprove(tools, model, fault) {
  const { violation, story } = check(tools, model, fault, 'CLAIM');
  const others = violation === undefined || fault.with ? undefined : check(tools, model, fault, 'EXCEPT').violation;
  const steps = story.split('\n').filter((line) => /^\s*\d+:\s+proc/.test(line)).length;
  const isRight = violation !== undefined && others === undefined;
  console.log(`${isRight ? 'violated ' : 'WRONG    '} ${model.name}: ${fault.name}`);
  if (violation === undefined) console.log(`          ${fault.claim} holds`);
  else
    console.log(
      `          after ${steps} steps ${fault.claim}${fault.with ? '' : ' and no other claim'}: ${violation}`,
    );
  if (others !== undefined) console.log(`          but another claim, too: ${others}`);
  return isRight;
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({ options: { broken: { type: 'boolean' }, only: { type: 'string', default: '' } } });
  const tools = spinTools();
  const chosen = models.filter(({ name }) => name.includes(values.only));
  const results =
    tools === undefined
      ? []
      : chosen.flatMap((model) => {
          if (!values.broken) return [prove(tools, model)];
          return model.breaks.map((fault) => disprove(tools, model, fault));
        });
  if (tools === undefined) console.error(spinAdvice);
  const done = values.broken ? 'broken models violate their claim' : 'models hold';
  console.log(`${results.filter(Boolean).length} of ${results.length} ${done}`);
  process.exitCode = results.length > 0 && results.every(Boolean) ? 0 : 1;
}
