import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { models } from './models.mjs';

const textOf = (file: string) => readFileSync(join(root, 'test', 'models', file), 'utf8');

/** The steps of a model, each with the product file that it names. */
function stepsOf(file: string): readonly (readonly [step: string, product: string | undefined])[] {
  const steps = textOf(file).matchAll(/^(?:\/\* (?:models (\S+?)|the world)(?::.*)? \*\/\n)?inline (\w+)/gm);
  return [...steps].filter(([text]) => !text.startsWith('/* the world')).map(([, product, step]) => [step!, product]);
}

/** True if the file has this function: `name`, a method `Class_name`, or `table_name` of Lua. */
function defines(product: string, step: string): boolean {
  const text = readFileSync(join(root, product), 'utf8');
  if (product.endsWith('.lua'))
    return new RegExp(`function (${step}|${step.replace(/_(?=[a-z]+$)/, '[.]')})\\(`).test(text);
  const [, owner, method] = /^([A-Z]\w*)_(\w+)$/.exec(step) ?? [];
  if (owner === undefined) return new RegExp(`function ${step}\\(`).test(text);
  return new RegExp(`class ${owner}\\b`).test(text) && new RegExp(`^ {2}(async )?#?${method}\\(`, 'm').test(text);
}

describe('models', () => {
  it.each([...new Set(models.map(({ file }) => file))])('%s names a function of the product for each step', (file) => {
    const steps = stepsOf(file);

    expect(steps.length).toBeGreaterThan(5);
    expect(steps.filter(([step, product]) => product === undefined || !defines(product, step))).toEqual([]);
  });

  it('are broken at a text that they contain once', () => {
    const texts = models.flatMap(({ file, breaks }) => breaks.map(({ name, text }) => ({ file, name, text })));

    expect(texts.filter(({ file, text }) => textOf(file).split(text).length !== 2)).toEqual([]);
  });
});
