import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { pages } from './pages.js';

type Prioritize = (request: { readonly path: string; readonly method: string }) => string;

const OPTIONS = 'packages/overload/src/shed/shedder-options.ts';
const texts = [...pages(), { path: OPTIONS, text: readFileSync(join(root, OPTIONS), 'utf8') }].map(
  ({ path, text }): [string, string] => [path, text],
);

const functions = texts.flatMap(([path, text]) =>
  [...text.matchAll(/priority: (\(\{[^}]*\bmethod\b[^}]*\}\) =>[^]*?'normal'\)?)/g)].map(
    ([, code]): [string, string] => [path, code!],
  ),
);

describe('the priorities that the docs show', () => {
  it('are those of the guide and of the option', () => {
    expect(functions.map(([path]) => path)).toEqual(expect.arrayContaining(['docs/guide/overload.md', OPTIONS]));
  });

  it.each(functions)('are the same for HEAD and GET, whose handler is the same: %s', (_path, code) => {
    // oxlint-disable-next-line typescript/no-implied-eval -- the text is ours
    const prioritize = new Function(`return ${code}`)() as Prioritize;

    expect(prioritize({ path: '/page', method: 'HEAD' })).toBe(prioritize({ path: '/page', method: 'GET' }));
    expect(prioritize({ path: '/page', method: 'GET' })).not.toBe(prioritize({ path: '/page', method: 'POST' }));
  });
});
