import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** The text of a source file. Paths are relative to `packages/core/src`. */
export function sourceOf(path: string): string {
  return readFileSync(join(root, 'packages', 'core', 'src', path), 'utf8');
}

/** The members of an interface, of a class, or of the last part of an intersection type. */
export function membersOf(source: string, name: string): readonly string[] {
  const members = [...bodyOf(source, name).matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member]) => member!);
  return members.filter((member) => member !== 'constructor');
}

/** The text literals in the type of a member. */
export function choicesOf(source: string, name: string, member: string): readonly string[] {
  const [, type = ''] = new RegExp(`^ {2}(?:readonly )?${member}\\??: ([^;]+);`, 'm').exec(bodyOf(source, name)) ?? [];
  return [...type.matchAll(/'([^']+)'/g)].map(([, choice]) => choice!);
}

/** All names that an index exports, those of `@sluice/http/app` included. */
export function exportsOf(source: string): readonly string[] {
  const text = sourceOf(source);
  const lists = [...text.matchAll(/^export (?:type )?{([^}]+)}/gm)].map(([, list]) => list!);
  const names = lists.flatMap((list) => [...list.matchAll(/(?:type )?(\w+)(?:,|\s*$)/g)].map(([, name]) => name!));
  return text.includes("export * from '@sluice/http/app'")
    ? [...names, ...exportsOf('../../http/src/app/index.ts')]
    : names;
}

export function bodyOf(source: string, name: string): string {
  const head = `export (?:interface|class|type) ${name}(?:<[^>]+>)?(?: extends [^{]+| = [^{]+)?`;
  const [, body = ''] = new RegExp(`${head} ?{\\n([^]*?)\\n}`).exec(sourceOf(source)) ?? [];
  return body;
}
