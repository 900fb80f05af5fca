import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { models } from '../test/models/models.mjs';
import { identityOf, saveResults } from '../test/models/results.mjs';
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
 * @param {{ readonly CLAIM: string } | { readonly EXCEPT: string }} [examined] one claim alone, or all others
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
    const numbers = Object.entries({ ...model.bounds, ...examined }).map(([name, value]) => `-D${name}=${value}`);
    run(folder, spin, ...numbers, '-a', 'model.pml');
    // A violation is found sooner than a program is optimised.
    const level = examined && 'CLAIM' in examined ? '-O0' : '-O1';
    run(folder, compiler, level, '-w', '-DSAFETY', '-DVECTORSZ=4096', ...(model.flags ?? []), '-o', 'pan', 'pan.c');
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

/** @param {Tools} tools @param {Model} model @param {boolean} isSaved */
function prove(tools, model, isSaved) {
  const startedAt = performance.now();
  const { violation, states, depth, story } = check(tools, model);
  const seconds = ((performance.now() - startedAt) / 1e3).toFixed(1);
  if (violation !== undefined) console.log(story.split('\n').slice(-80).join('\n'));
  const verdict = violation === undefined ? 'holds' : `VIOLATED: ${violation}`;
  console.log(`${model.name}: ${verdict}: ${states.toLocaleString('en')} states, depth ${depth}, ${seconds} s`);
  if (isSaved && violation === undefined) saveResults({ [model.name]: { identity: identityOf(model), states, depth } });
  return violation === undefined;
}

/**
 * A break must violate its claim, those that it names beside it, and no other one, so that each claim is shown to say something
 * of its own.
 *
 * @param {Tools} tools
 * @param {Model} model
 * @param {Break} fault
 * @param {boolean} isSaved
 */
function disprove(tools, model, fault, isSaved) {
  const { violation, states, story } = check(tools, model, fault, { CLAIM: fault.claim });
  const steps = story.split('\n').filter((line) => /^\s*\d+:\s+proc/.test(line)).length;
  const wrong = violation === undefined ? [`${fault.claim} holds`] : wrongClaims(tools, model, fault);
  const claims = [fault.claim, ...(fault.with ?? [])].join(', ');
  console.log(`${wrong.length === 0 ? 'violated ' : 'WRONG    '} ${model.name}: ${fault.name}`);
  if (violation !== undefined) console.log(`          after ${steps} steps ${claims}: ${violation}`);
  for (const each of wrong) console.log(`          but ${each}`);
  const key = `${model.name}: ${fault.name}`;
  if (isSaved && wrong.length === 0) saveResults({ [key]: { identity: identityOf(model, fault), states, steps } });
  return wrong.length === 0;
}

/** What a break does to the claims that are not its own, where it should not. @param {Tools} tools @param {Model} model @param {Break} fault */
function wrongClaims(tools, model, fault) {
  if (!fault.with) {
    const other = check(tools, model, fault, { EXCEPT: fault.claim }).violation;
    return other === undefined ? [] : [`another claim is violated too: ${other}`];
  }
  const others = Object.keys(model.claims).filter((claim) => claim !== fault.claim);
  return others.flatMap((claim) => {
    const isViolated = check(tools, model, fault, { CLAIM: claim }).violation !== undefined;
    if (isViolated === fault.with?.includes(claim)) return [];
    return [isViolated ? `${claim} is violated too` : `${claim} holds`];
  });
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      broken: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  });
  const tools = spinTools();
  /** @type {{ name: string, model: Model, fault?: Break }[]} */
  const tasks = models.flatMap(
    /** @returns {typeof tasks} */ (model) =>
      values.broken
        ? model.breaks.map((fault) => ({ name: `${model.name}: ${fault.name}`, model, fault }))
        : [{ name: model.name, model }],
  );
  const chosen = tools === undefined ? [] : tasks.filter(({ name }) => name.includes(values.only));
  const results = chosen.map(({ model, fault }) =>
    fault === undefined
      ? prove(/** @type {Tools} */ (tools), model, values.save)
      : disprove(/** @type {Tools} */ (tools), model, fault, values.save),
  );
  if (tools === undefined) console.error(spinAdvice);
  const done = values.broken ? 'broken models violate their claim' : 'models hold';
  console.log(`${results.filter(Boolean).length} of ${results.length} ${done}`);
  process.exitCode = results.length > 0 && results.every(Boolean) ? 0 : 1;
}
