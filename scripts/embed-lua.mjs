import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isMain, root } from './root.mjs';

const folder = join(root, 'packages', 'core', 'src', 'stores', 'redis');
const manifest = join(folder, 'scripts.json');
const generated = join(folder, 'scripts.ts');

/**
 * Joins the parts that the manifest lists for a script. `replace` puts other Lua in the place of a part, named by its
 * file name, so that a test can drive the real functions on a clock of its own.
 *
 * @param {string} name
 * @param {{ replace?: Readonly<Record<string, string>> }} [options]
 * @returns {{ source: string, sha: string }}
 */
export function buildScript(name, { replace = {} } = {}) {
  const parts = listScripts().get(name);
  if (!parts) throw new Error(`${relative(root, manifest)} has no script "${name}"`);
  const unknown = Object.keys(replace).find((file) => !parts.some((part) => basename(part) === file));
  if (unknown) throw new Error(`script "${name}" has no part "${unknown}" to replace`);

  const source = parts.map((part) => strip(part, replace[basename(part)] ?? readPart(part))).join('\n');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/**
 * The parts of each script. One with a `*` is made for each algorithm, since a script that defines less begins sooner,
 * and as `-any` for all of them.
 *
 * @returns {Map<string, readonly string[]>}
 */
export function listScripts() {
  /** @type {{ algorithms: Record<string, string[]>, scripts: Record<string, string[]> }} */
  const { algorithms, scripts } = JSON.parse(readFileSync(manifest, 'utf8'));
  /** @type {Record<string, readonly string[]>} */
  const choices = { ...algorithms, any: [...new Set(Object.values(algorithms).flat())] };
  /** @type {Map<string, readonly string[]>} */
  const list = new Map();
  for (const [name, parts] of Object.entries(scripts)) {
    if (!parts.includes('*')) list.set(name, parts);
    else
      for (const [code, chosen] of Object.entries(choices))
        list.set(
          `${name}-${code}`,
          parts.flatMap((part) => (part === '*' ? chosen : part)),
        );
  }
  return list;
}

/** A script with this part is there once more, with the other one in its place: for clients that take bytes. */
const PLAIN = 'reply.lua';
const PACKED = 'reply.packed.lua';

/**
 * A script as clients that take bytes run it.
 *
 * @param {string} name
 * @param {{ replace?: Readonly<Record<string, string>> }} [options]
 */
export function buildPacked(name, { replace = {} } = {}) {
  return buildScript(name, { replace: { ...replace, [PLAIN]: readPart(PACKED) } });
}

/** @param {string} part */
function readPart(part) {
  const path = join(dirname(manifest), part);
  if (!existsSync(path)) throw new Error(`a script has a part that does not exist: ${relative(root, path)}`);
  return readFileSync(path, 'utf8');
}

/**
 * Redis keeps the text of every script it has seen, and a long one takes longer to send and to hash.
 *
 * @param {string} part
 * @param {string} lua
 */
function strip(part, lua) {
  // Taking out its first line alone would leave the rest of it as code.
  if (/--\[=*\[/.test(lua)) throw new Error(`${part}: write comments as lines of --, not as --[[ ]]`);
  const lines = lua.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('--')).join('\n');
}

function render() {
  const list = listScripts();
  const files = [...new Set([...list.values()].flat()), PACKED];
  const parts = files.map(
    (file) => `  ${JSON.stringify(basename(file))}: ${JSON.stringify(strip(file, readPart(file)))},\n`,
  );
  const scripts = [...list].map(([name, names]) => {
    const { sha } = buildScript(name);
    const own = names.map((file) => basename(file));
    const [make, ...shas] = own.includes(PLAIN) ? ['packable', sha, buildPacked(name).sha] : ['script', sha];
    return `  ${JSON.stringify(name)}: ${make}(${[...shas, ...own].map((each) => JSON.stringify(each)).join(', ')}),\n`;
  });
  return `// Generated from the Lua files by scripts/embed-lua.mjs: do not edit.

const parts = {
${parts.join('')}};

function script(sha: string, ...names: (keyof typeof parts)[]) {
  return {
    sha,
    get source() {
      return names.map((name) => parts[name]).join('\\n');
    },
  };
}

/** A script that replies with numbers, as an array or packed into a text. */
function packable(sha: string, packed: string, ...names: (keyof typeof parts)[]) {
  const others = names.map((name) => (name === '${PLAIN}' ? '${PACKED}' : name));
  return Object.assign(script(sha, ...names), { packed: script(packed, ...others) });
}

export const scripts = {
${scripts.join('')}};
`;
}

function main() {
  if (!existsSync(manifest)) return;
  const text = render();
  if (existsSync(generated) && readFileSync(generated, 'utf8') === text) return;
  if (!process.argv.includes('--check')) return writeFileSync(generated, text);

  console.error(`${relative(root, generated)} is stale: run \`node scripts/embed-lua.mjs\`.`);
  process.exitCode = 1;
}

if (isMain(import.meta.url)) main();
