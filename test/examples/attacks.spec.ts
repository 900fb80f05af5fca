import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { siteAt } from '../support/site.js';
import { exampleAttacks } from './attacks.js';
import { ExampleProcesses } from './example-process.js';
import { freshApis } from './fresh-api.js';

/** Examples that are no server of limits. */
const OTHERS = new Set(['shared']);
const MAINS: Readonly<Record<string, string>> = {
  'hono-api': 'hono-api/main.js',
  decorators: 'decorators/dist/main.js',
};

describe('An example', () => {
  it('has an attack', () => {
    const attacked = new Set(exampleAttacks.map(({ example }) => example));
    const folders = readdirSync(join(root, 'examples'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !OTHERS.has(entry.name))
      .map(({ name }) => name);

    expect(folders.filter((name) => !attacked.has(name))).toEqual([]);
  });

  it('has the spec that its attack names', () => {
    const specs = exampleAttacks.flatMap(({ holds }) => (typeof holds === 'string' ? [holds] : []));

    expect(specs.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('An example holds its limits', () => {
  const fresh = freshApis();
  const processes = new ExampleProcesses();

  afterEach(() => processes.stop());

  const open = async (example: string) => {
    const main = MAINS[example];
    return main === undefined ? fresh.open(example, 'memory') : processes.start({ name: example, main });
  };

  it.each(
    exampleAttacks
      .filter(({ holds }) => typeof holds === 'function')
      .flatMap((attack) =>
        attack.example === 'nest-api' ? [attack, { ...attack, example: 'nest-api on Fastify' }] : [attack],
      )
      .map((attack) => [attack.example, attack.tries, attack] as const),
  )('%s, against %s', async (example, _tries, { holds }) => {
    const { url } = await open(example);
    const site = siteAt({ host: '127.0.0.1', port: Number(new URL(url).port) }, () => undefined);

    expect.hasAssertions();
    await (holds as Exclude<typeof holds, string>)(site);
  });
});
