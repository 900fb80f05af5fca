import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { strip } from '../../scripts/strip-lua.mjs';
import { root } from '../../scripts/root.mjs';

/**
 * A text of a file, and what takes its place.
 *
 * @typedef {object} Edit
 * @property {string} file
 * @property {string} text that the file has once
 * @property {string} replacement
 */

const SCRIPTS = '/core/src/scripts/scripts.ts';

/**
 * A source with faults. Those of Lua are in the module that the Lua is embedded in.
 *
 * @param {string} filename
 * @param {string} source
 * @param {readonly Edit[]} edits
 */
export function plant(filename, source, edits) {
  const own = edits.filter(({ file }) => filename === join(root, file));
  const planted = own.reduce(edited, source);
  if (!filename.endsWith(SCRIPTS)) return planted;
  const files = new Set(edits.flatMap(({ file }) => (file.endsWith('.lua') ? [file] : [])));
  return [...files].reduce((text, file) => {
    const part = basename(file, '.lua');
    const sound = readFileSync(join(root, file), 'utf8');
    const faulty = edits.filter((edit) => edit.file === file).reduce(edited, sound);
    const [before, after] = [sound, faulty].map((lua) => JSON.stringify(strip(part, lua)));
    return edited(text, { file: SCRIPTS, text: String(before), replacement: String(after) });
  }, planted);
}

/** @param {string} source @param {Edit} edit */
function edited(source, { file, text, replacement }) {
  if (source.split(text).length !== 2) throw new Error(`cannot plant: ${file} must have this text once:\n${text}`);
  return source.replace(text, () => replacement);
}
