import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** A page that readers see. */
export interface Page {
  /** Its path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** The pages at the root, and all below docs. */
export function pages(): readonly Page[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return [...top, ...below].toSorted().map(page);
}

export function page(path: string): Page {
  return { path: relative(root, join(root, path)), text: readFileSync(join(root, path), 'utf8') };
}

/** The text of a page without what stands in its blocks of code. */
export function prose({ text }: Page): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}
