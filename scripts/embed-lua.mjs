import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { packedParts, scripts } from '../packages/core/src/stores/redis/lua/manifest.mjs';
import { isMain, root } from './root.mjs';

const sources = join(root, 'packages', 'core', 'src');
const generated = join(sources, 'stores', 'redis', 'lua', 'scripts.ts');

/** The Lua files by name. */
const files = new Map(
  readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.lua'))
    .map((file) => [basename(file, '.lua'), join(sources, file)]),
);

/**
 * Joins the parts that the manifest lists for a script. `replace` gives other Lua for a part, so that a test can run the
 * real functions on its own clock.
 *
 * @param {string} name
 * @param {{ replace?: Readonly<Record<string, string>> }} [options]
 * @returns {{ source: string, sha: string }}
 */
export function buildScript(name, { replace = {} } = {}) {
  const parts = scripts[name];
  if (!parts) throw new Error(`the manifest has no script "${name}"`);
  const unknown = Object.keys(replace).find((part) => !parts.includes(part));
  if (unknown) throw new Error(`script "${name}" has no part "${unknown}" to replace`);

  const source = parts.map((part) => strip(part, replace[part] ?? readPart(part))).join('\n');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/**
 * A script as clients that read bytes run it.
 *
 * @param {string} name
 * @param {{ replace?: Readonly<Record<string, string>> }} [options]
 */
export function buildPacked(name, { replace = {} } = {}) {
  const packed = Object.entries(packedParts).filter(([part]) => scripts[name]?.includes(part));
  const parts = Object.fromEntries(packed.map(([part, other]) => [part, readPart(other)]));
  return buildScript(name, { replace: { ...replace, ...parts } });
}

/** @param {string} part */
function readPart(part) {
  const path = files.get(part);
  if (!path) throw new Error(`the manifest names a part that does not exist: ${part}.lua`);
  return readFileSync(path, 'utf8');
}

/**
 * Redis stores the text of every script, and a shorter text is sent and hashed sooner.
 *
 * @param {string} part
 * @param {string} lua
 */
function strip(part, lua) {
  // Removing only the first line of a block comment would leave the rest of it as code.
  if (/--\[=*\[/.test(lua)) throw new Error(`${part}: write comments as lines of --, not as --[[ ]]`);
  const lines = lua.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('--')).join('\n');
}

function render() {
  const used = new Set([...Object.values(scripts).flat(), ...Object.values(packedParts)]);
  const unused = [...files.keys()].find((part) => !used.has(part));
  if (unused) throw new Error(`no script has the part ${unused}.lua`);

  const parts = [...used].map((part) => `  ${JSON.stringify(part)}: ${JSON.stringify(strip(part, readPart(part)))},\n`);
  const entries = Object.entries(scripts).map(([name, own]) => {
    const { sha } = buildScript(name);
    const [make, ...shas] = own.includes('reply-numbers') ? ['packable', sha, buildPacked(name).sha] : ['script', sha];
    return `  ${JSON.stringify(name)}: ${make}(${[...shas, ...own].map((each) => JSON.stringify(each)).join(', ')}),\n`;
  });
  return `// Generated from the Lua files by scripts/embed-lua.mjs: do not edit.
import type { Script } from './script.js';

const parts = {
${parts.join('')}};
type Part = keyof typeof parts;

function script(sha: string, ...own: readonly Part[]): Script {
  return {
    sha,
    get source() {
      return own.map((part) => parts[part]).join('\\n');
    },
  };
}

function packable(sha: string, packedSha: string, ...own: readonly Part[]): Script {
  const packed: Readonly<Partial<Record<Part, Part>>> = ${JSON.stringify(packedParts)};
  const parts = own.map((part) => packed[part] ?? part);
  return Object.assign(script(sha, ...own), { packed: script(packedSha, ...parts) });
}

export const scripts = {
${entries.join('')}};
`;
}

function main() {
  const text = render();
  if (existsSync(generated) && readFileSync(generated, 'utf8') === text) return;
  if (!process.argv.includes('--check')) return writeFileSync(generated, text);

  console.error(`${relative(root, generated)} is stale: run \`node scripts/embed-lua.mjs\`.`);
  process.exitCode = 1;
}

if (isMain(import.meta.url)) main();
