import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';

/** A page of the documentation. */
export interface Page {
  /** Its path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** The pages at the root and below docs, and the READMEs of examples and of each published package. */
export function pages(): readonly Page[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const examples = readdirSync(join(root, 'examples'));
  const folders = [
    'examples',
    ...examples.map((name) => join('examples', name)),
    ...publishedPackages().map((folder) => relative(root, folder)),
  ];
  const readmes = folders.map((folder) => join(folder, 'README.md')).filter((path) => existsSync(join(root, path)));
  return [...top, ...below, ...readmes].toSorted().map(page);
}

export function page(path: string): Page {
  return { path: relative(root, join(root, path)), text: readFileSync(join(root, path), 'utf8') };
}

/** The text of a page without its blocks of code. */
export function prose({ text }: Page): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

/** A section of a page, from its second-level heading to the next one. */
export function sectionOf(text: string, heading: string): string {
  return text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
}
