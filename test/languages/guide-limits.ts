import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** The file of policies that the guide begins with. */
export function guideLimits(): string {
  return blockOf('yaml', 'version: 1');
}

/** The first block of a language on the page that has a text. */
export function blockOf(language: string, text: string): string {
  const page = readFileSync(join(root, 'docs', 'guide', 'one-limit.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.find(([, name, block]) => name === language && block!.includes(text));
  if (found === undefined) throw new Error(`the guide has no block of ${language} with ${text}`);
  return found[2]!;
}
