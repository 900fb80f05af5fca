import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ALL, frames, ownScripts, packedParts } from '../packages/core/src/scripts/manifest.mjs';
import { isMain, root } from './root.mjs';
import { strip } from './strip-lua.mjs';

const sources = join(root, 'packages');
const generated = join(sources, 'core', 'src', 'scripts', 'scripts.ts');

const found = readdirSync(sources).flatMap((name) => sourcesIn(join(name, 'src')));

/** The Lua files by name. */
const files = new Map(
  found.filter((file) => file.endsWith('.lua')).map((file) => [basename(file, '.lua'), join(sources, file)]),
);

/**
 * What the folders with Lua of an algorithm list, in an order that is the same on all machines.
 *
 * @type {readonly { readonly folder: string, readonly lua: import('../packages/core/src/scripts/manifest.mjs').FolderLua }[]}
 */
const folders = await Promise.all(
  found
    .filter((file) => basename(file) === 'lua.mjs')
    .toSorted()
    .map(async (file) => ({
      folder: dirname(file),
      lua: (await import(pathToFileURL(join(sources, file)).href)).lua,
    })),
);

const algorithms = merged(({ twins }) => twins);
const rare = folders.flatMap(({ lua }) => lua.rare ?? []);
const unread = folders.flatMap(({ lua }) => lua.unread ?? []);
const acts = merged((lua) => lua.acts ?? {});
const scripts = {
  ...merged((lua) => lua.scripts ?? {}),
  ...acts,
  ...ownScripts,
};

/**
 * @template T
 * @param {(lua: import('../packages/core/src/scripts/manifest.mjs').FolderLua) => Readonly<Record<string, T>>} listOf
 * @returns {Readonly<Record<string, T>>}
 */
function merged(listOf) {
  const entries = folders.flatMap(({ lua }) => Object.entries(listOf(lua)));
  const twice = entries.find(([name], index) => entries.findIndex(([other]) => other === name) !== index);
  if (twice) throw new Error(`two folders list ${twice[0]} in their lua.mjs: codes and names of scripts must differ`);
  return Object.fromEntries(entries);
}

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(join(sources, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
}

/** @param {string} part */
function readPart(part) {
  const path = files.get(part);
  if (!path) throw new Error(`the manifest names a part that does not exist: ${part}.lua`);
  return readFileSync(path, 'utf8');
}

/** @param {string} piece */
function renderPiece(piece) {
  return piece === ALL ? '...blocksOf(readAlgorithms)' : JSON.stringify(piece);
}

function render() {
  const framed = Object.values(frames).flatMap(({ before, behind }) => [...before, ...behind]);
  const own = Object.values({ ...algorithms, ...scripts }).flat();
  const needed = [...folders.flatMap(({ lua }) => lua.needed ?? []), ...Object.entries(packedParts).flat()];
  const used = new Set([...own.filter((each) => each !== ALL), ...framed, ...needed]);
  const unused = [...files.keys()].find((part) => !used.has(part));
  if (unused) throw new Error(`no script has the part ${unused}.lua`);

  const parts = [...used].map((part) => `  ${JSON.stringify(part)}: ${JSON.stringify(strip(part, readPart(part)))},\n`);
  const entries = Object.entries(scripts).map(
    ([name, each]) => `  ${JSON.stringify(name)}: script(${each.map(renderPiece).join(', ')}),\n`,
  );
  return `// Generated from the Lua files by scripts/embed-lua.mjs: do not edit.
import { hash } from 'node:crypto';
import type { Emitter } from '../algorithms/emitter.js';
${renderImports()}import type { Script } from './script.js';

const parts = {
${parts.join('')}};
export type Part = keyof typeof parts;

/** The parts of each algorithm, by the code of its Lua twin. */
export const algorithmParts = ${JSON.stringify(algorithms)} as const satisfies Record<string, readonly Part[]>;

/** The codes of those that few programs have: a script defines them only where it needs them. */
export const rareAlgorithms: readonly string[] = ${JSON.stringify(rare)};

/** The codes of those that read states for operators. */
const readAlgorithms = Object.keys(algorithmParts).filter((code) => !${JSON.stringify(unread)}.includes(code));

/** A part, or parts in a block of their own. */
export type Piece = Part | readonly Part[];

export function joinParts(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? parts[piece] : \`do\\n\${joinParts(piece)}\\nend\`))
    .join('\\n');
}

/**
 * The parts of these algorithms: a block for those that share some, which see the locals of each other. A function of Lua has
 * 200 locals, and those of a block end with it.
 */
export function blocksOf(codes: readonly string[]): readonly (readonly Part[])[] {
  let blocks: readonly (readonly Part[])[] = [];
  for (const code of codes) {
    const own: readonly Part[] = algorithmParts[code as keyof typeof algorithmParts];
    const sharing = blocks.filter((block) => own.some((part) => block.includes(part)));
    const others = blocks.filter((block) => !sharing.includes(block));
    blocks = [...others, [...new Set([...sharing.flat(), ...own])]];
  }
  return blocks;
}

/** The parts before those of algorithms, and behind them. */
export const frames = ${JSON.stringify(frames)} as const satisfies Record<string, Record<'before' | 'behind', readonly Part[]>>;

export function script(...own: readonly Piece[]): Script {
  const packedParts: Partial<Record<string, Part>> = ${JSON.stringify(packedParts)};
  const packed = own.map((piece) => (typeof piece === 'string' && packedParts[piece]) || piece);
  const made = textOf(own);
  return packed.join() === own.join() ? made : Object.assign(made, { packed: textOf(packed) });
}

/** A text that is joined when it is first needed. */
function textOf(own: readonly Piece[]): Script {
  let sha: string | undefined;
  return {
    get sha() {
      return (sha ??= hash('sha1', joinParts(own)));
    },
    get source() {
      return joinParts(own);
    },
  };
}

export const scripts = {
${entries.join('')}};

/** What features do with one key beside requests, by the names of their acts. */
export const acts: Readonly<Record<string, Script>> = {
${Object.keys(acts)
  .map((name) => `  ${JSON.stringify(name)}: scripts[${JSON.stringify(name)}],\n`)
  .join('')}};

/** What writes the Lua of a policy, by its path. */
export const emitters: Readonly<Partial<Record<string, Emitter<never>>>> = {
${emitters.map(({ path, name }) => `  ${path}: ${name},\n`).join('')}};
`;
}

/** The emitters of the algorithms in core. */
const emitters = folders.flatMap(({ folder, lua }) =>
  Object.entries(lua.emitters ?? {}).map(([path, [file, name]]) => ({
    path,
    name,
    from: `../${relative(join('core', 'src'), folder)}/${file}.js`,
  })),
);

/** Emitters are listed beside the scripts that they are for, so that no program in memory loads them. */
function renderImports() {
  const imports = [...new Set(emitters.map(({ from }) => from))].map((from) => {
    const names = emitters.flatMap((each) => (each.from === from ? [each.name] : []));
    return `import { ${names.join(', ')} } from '${from}';\n`;
  });
  return imports.join('');
}

function main() {
  const text = render();
  if (existsSync(generated) && readFileSync(generated, 'utf8') === text) return;
  if (!process.argv.includes('--check')) return writeFileSync(generated, text);

  console.error(`${relative(root, generated)} is stale: run \`node scripts/embed-lua.mjs\`.`);
  process.exitCode = 1;
}

if (isMain(import.meta.url)) main();
