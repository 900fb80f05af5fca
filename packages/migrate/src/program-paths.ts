import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from './usage-error.js';

const PROGRAM = /\.[cm]?[jt]sx?$/;

/** Folders that an author does not write. */
const LEFT_OUT = /^(node_modules|dist|build|out|coverage|vendor|\..*)$/;

/** The files that paths, folders and quoted patterns name: `src`, `'src/**\/*.ts'`. */
export async function programPaths(given: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of given) {
    if (/[*?{]/.test(path) && !(await exists(path))) found.push(...(await matching(path)));
    else if (await isFolder(path)) found.push(...(await programsOf(path)));
    else found.push(path);
  }
  return [...new Set(found)];
}

async function matching(pattern: string): Promise<string[]> {
  const fixed = pattern.split('/').slice(
    0,
    pattern.split('/').findIndex((part) => /[*?{]/.test(part)),
  );
  const folder = fixed.join('/') || (pattern.startsWith('/') ? '/' : '.');
  const regex = expressionOf(pattern);
  const files = (await isFolder(folder)) ? (await filesIn(folder)).filter((path) => regex.test(path)) : [];
  if (files.length === 0) throw new UsageError(`${pattern} matches no file`);
  return files;
}

/** `*` within a folder, `**` through all of them, `?` a character, `{ts,js}` either. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.replace(/^\.\//, '').split(/(\*\*\/|\*\*|\*|\?|\{[^}]*\})/);
  const text = parts.map((part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    const literal = (each: string) => each.replaceAll(/[$()+.[\\\]^{|}]/g, String.raw`\$&`);
    return part.startsWith('{') ? `(?:${part.slice(1, -1).split(',').map(literal).join('|')})` : literal(part);
  });
  return new RegExp(`^${text.join('')}$`);
}

async function programsOf(folder: string): Promise<string[]> {
  const files = (await filesIn(folder)).filter((path) => PROGRAM.test(path) && !path.endsWith('.d.ts'));
  if (files.length === 0) throw new UsageError(`${folder} is a folder without JavaScript and TypeScript`);
  return files;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = entries
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(async (entry) => {
      const path = folder === '.' ? entry.name : join(folder, entry.name);
      if (entry.isDirectory()) return LEFT_OUT.test(entry.name) ? [] : filesIn(path);
      return entry.isFile() ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
