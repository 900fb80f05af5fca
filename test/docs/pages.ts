import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';

/** A page that readers see. */
export interface Page {
  /** Its path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** The pages at the root, all below docs, and those that npm shows of packages. */
export function pages(): readonly Page[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const shown = publishedPackages()
    .map((folder) => join(relative(root, folder), 'README.md'))
    .filter((path) => existsSync(join(root, path)));
  return [...top, ...below, ...shown].toSorted().map(page);
}

export function page(path: string): Page {
  return { path: relative(root, join(root, path)), text: readFileSync(join(root, path), 'utf8') };
}

/** The text of a page without what stands in its blocks of code. */
export function prose({ text }: Page): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

/** A section of a page, from its heading of the second level to the next. */
export function sectionOf(text: string, heading: string): string {
  return text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
}
