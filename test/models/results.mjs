import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { models } from './models.mjs';

/** @typedef {import('./models.mjs').Model} Model */
/** @typedef {import('./models.mjs').Break} Break */

/**
 * What Spin has found last of a model or of a break of it: `npm run tool -- models --save` writes it, and docs/models.md shows it.
 *
 * @typedef {object} Result
 * @property {string} identity of what was examined
 * @property {number} states
 * @property {number} [depth] of a model: the steps of its longest path
 * @property {number} [steps] of a break: those until its claim is violated
 */

const file = join(root, 'test', 'models', 'results.json');

/** By the name of a model; for a break a colon and its name follow. @returns {Record<string, Result>} */
export function readResults() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** @param {Record<string, Result>} changed */
export function saveResults(changed) {
  const known = { ...readResults(), ...changed };
  const names = models.flatMap(({ name, breaks }) => [name, ...breaks.map((each) => `${name}: ${each.name}`)]);
  const kept = names.flatMap((name) => (known[name] ? [[name, known[name]]] : []));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
}

/** Changes with all that decides a result. @param {Model} model @param {Break} [fault] */
export function identityOf({ file: source, bounds }, fault) {
  const text = readFileSync(join(root, 'test', 'models', source), 'utf8');
  const { claim, with: others, text: sound, replacement } = fault ?? {};
  const whole = JSON.stringify([text, bounds, claim, others, sound, replacement]);
  return createHash('sha256').update(whole).digest('hex').slice(0, 16);
}
