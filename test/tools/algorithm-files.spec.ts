import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { algorithms } from '../../packages/core/src/algorithms/named/algorithms.js';
import { definePolicy } from '../../packages/core/src/algorithms/named/policy-options.js';
import { SAMPLES } from '../../packages/testing/src/suite/samples.js';

const rooms = 'packages/core/src/algorithms';

const productFiles = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .map((file) => `packages/${file}`)
  .filter((file) => /^packages[/]\w+[/]src[/].*[.](ts|mjs|lua)$/.test(file) && !file.endsWith('.spec.ts'));

/**
 * The product files, without comments and without what is generated. The command line and the translations of other limiters
 * read and write the options of programs.
 */
const files = productFiles
  .filter((file) => !/^packages[/](migrate|cli)[/]/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  .filter(({ text }) => !text.startsWith('// Generated'))
  .map(({ file, text }) => ({ file, code: withoutComments(file, text) }));

function withoutComments(file: string, text: string): string {
  if (file.endsWith('.lua')) return text.replaceAll(/--.*$/gm, '');
  return text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

/** The folders of algorithms, which list their Lua. */
const folders = productFiles.filter((file) => file.endsWith('/lua.mjs')).map((file) => dirname(file));

/** Algorithms of units that come back by time. */
const rates = algorithms().filter(({ name }) => {
  const sample = SAMPLES[name];
  return sample !== undefined && definePolicy(sample).algorithm.refill !== undefined;
});

/**
 * The files that know a rate: they have its folder, its value or its code, or its name in another place than a tier's option
 * `algorithm` or a sample. An algorithm that is made of another one may know it.
 */
function filesOf({ name, code }: { readonly name: string; readonly code: string }): readonly string[] {
  const value = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const known = new RegExp(`/${name}/|\\b${value}\\b|['"\`]${code}['"\`]|['"\`]${name}['"\`]`);
  const uses = new RegExp(`algorithm: ('[\\w-]+'(, | or ))*'${name}'|SAMPLES\\['${name}'\\]`, 'g');
  return files
    .filter(({ file }) => !folders.some((folder) => file.startsWith(`${folder}/`)))
    .filter(({ code: text }) => known.test(text.replaceAll(uses, '')))
    .map(({ file }) => file);
}

describe('An algorithm of a rate', () => {
  it('is one of six', () => {
    expect(rates.map(({ name }) => name).toSorted()).toEqual([
      'fixed-window',
      'leaky-bucket',
      'multi-window',
      'sliding-window',
      'sliding-window-log',
      'token-bucket',
    ]);
  });

  it.each(rates.map((rate) => [rate.name, rate] as const))(
    'touches at most three files outside of its folder: %s',
    (_name, rate) => {
      const known = filesOf(rate);

      expect(known).toContain(`${rooms}/named/algorithms.ts`);
      expect(known.length > 3 ? known : []).toEqual([]);
    },
  );
});

describe('The limit in flight', () => {
  it('is named in at most six files outside of its folder and of the layer of permits, comments included', () => {
    const places = productFiles
      .filter((file) => !/^packages[/]core[/]src[/](algorithms[/]concurrency|stores[/]with-permits)[/]/.test(file))
      .filter((file) => /\bconcurrency\b/.test(readFileSync(join(root, file), 'utf8')));

    expect(places).toContain(`${rooms}/named/algorithms.ts`);
    expect(places.length > 6 ? places : []).toEqual([]);
  });
});
