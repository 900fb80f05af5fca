import { transform } from '@swc/core';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { checkTarball, packPackages } from '../../scripts/pack.mjs';
import { publishedPackages, withDependencies } from '../../scripts/workspace.mjs';
import { execute } from '../support/child.js';
import { Consumer } from './consumer.js';

/** npm packs and installs over the network. */
const TIMEOUT_MS = 120_000;

/**
 * In bytes. Core has the guides and the reference, too, to which its errors and warnings point: a third of it. The dashboard has
 * the desk of balances with its OpenAPI document, and the command line all alerts and panels.
 */
const LARGE: Readonly<Record<string, number>> = { core: 615_000, cli: 155_000, dashboard: 152_000 };

/** The command line has a file for each command, and for what commands share: `sluice --help` loads none of them. */
const MANY: Readonly<Record<string, number>> = { cli: 86 };

describe('The packed packages', () => {
  let folder: string;
  let tarballs: string[];
  let core: Consumer;

  const tarballOf = (name: string) => tarballs.filter((tarball) => tarball.includes(`sluice-${name}-`));
  const tarballsFor = (...names: string[]) => withDependencies(names).flatMap(tarballOf);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-packages-'));
    await mkdir(join(folder, 'tarballs'));
    tarballs = await packPackages(join(folder, 'tarballs'));
    core = await Consumer.install('core', join(folder, 'core'), tarballsFor('core', 'testing'));
  }, TIMEOUT_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(
    'pass publint and attw',
    async () => {
      const codes = await Promise.all(tarballs.map(checkTarball));

      expect(codes).toEqual(tarballs.map(() => 0));
    },
    TIMEOUT_MS,
  );

  it.each(publishedPackages().map((path) => basename(path)))('are small, such as %s', async (name) => {
    const [tarball] = tarballOf(name) as [string];
    const { stdout: list } = await execute('tar', ['--list', '--file', tarball]);
    const files = list.split('\n').filter((file) => file && !file.endsWith('.md'));

    expect((await stat(tarball)).size).toBeLessThanOrEqual(LARGE[name] ?? 100_000);
    expect(files.length).toBeLessThanOrEqual(MANY[name] ?? 40);
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  it('hold the dashboard and the alerts if they are for Prometheus', async () => {
    const [tarball] = tarballOf('prometheus') as [string];
    const { stdout: list } = await execute('tar', ['--list', '--file', tarball]);
    const shipped = list.split('\n').filter((file) => file.startsWith('package/monitoring/'));

    expect(shipped.map((file) => basename(file)).toSorted()).toEqual(
      (await readdir(join(root, 'monitoring'))).toSorted(),
    );
  });

  // links.spec.ts follows the links of warnings and errors to them, test/docs/shipped-pages.spec.ts those between them.
  it.each([
    ['core', ['README.md', 'guide/login.md', 'guide/images/token-bucket.svg', 'reference/errors.md']],
    ['express', ['reference/express.md']],
    ['cli', ['reference/cli.md']],
    ['migrate', ['reference/migrate.md']],
  ])('hold the pages of %s', async (name, expected) => {
    const [tarball] = tarballOf(name) as [string];
    const to = await mkdtemp(join(folder, 'pages-'));
    await execute('tar', ['--extract', '--file', tarball, '--directory', to]);

    expect(await readdir(join(to, 'package', 'docs'), { recursive: true })).toEqual(expect.arrayContaining(expected));
  });

  it('do not install a Redis client', async () => {
    const installed = await readdir(join(core.folder, 'node_modules'));

    expect(installed).not.toContain('ioredis');
  });

  describe('such as core', () => {
    const expected = { allowed: [true, true, false], testing: ['function', 'function'] };

    it.each([
      ['an ES module', 'esm.mjs'],
      ['CommonJS', 'cjs.cjs'],
    ])('work from %s in JavaScript', async (_name, file) => {
      expect(await core.run(file)).toEqual(expected);
    });

    it('are one copy if a process loads both formats', async () => {
      expect(await core.run('both.mjs')).toEqual({ main: true, testing: true });
    });

    it('load the test suite of stores only for those that import it', async () => {
      expect(await core.run('loaded.cjs')).toEqual({ main: false, testing: true });
    });

    it('take one byte a letter in memory', async () => {
      const files = join(core.folder, 'node_modules', '@sluice', 'core', 'dist', 'cjs');
      const names = (await readdir(files)).filter((name) => name.endsWith('.js'));
      const texts = await Promise.all(names.map((name) => readFile(join(files, name))));

      expect(names).toContain('shared.js');
      expect(texts.every((text) => text.every((byte) => byte < 128))).toBe(true);
    });

    it('load no dependency that a memory store does not need', async () => {
      expect(await core.run('dependencies.cjs')).toEqual([]);
    });

    it('show the names of the sources in a stack trace', async () => {
      expect(await core.run('stack.mjs')).toEqual(
        expect.arrayContaining(['OptionReader.one', 'definePolicy', 'TierPolicies']),
      );
    });

    it('work from both in TypeScript', async () => {
      await core.compile();

      expect([await core.run('out/esm-typed.mjs'), await core.run('out/cjs-typed.cjs')]).toEqual([expected, expected]);
    });
  });

  describe.each([
    ['Express 5', ['express@^5.2.0', '@types/express@^5.0.0']],
    ['Express 4', ['express@^4.21.0', '@types/express@^4.17.0']],
  ])('such as the adapter of %s', (name, framework) => {
    const policies = '"minute";q=2;w=60, "hour";q=100;w=3600';
    const expected = {
      statuses: [200, 200, 429],
      policies: [policies, policies, '"minute";q=2;w=60'],
      names: [['"minute";r=1', '"hour";r=99'], ['"minute";r=0', '"hour";r=98'], ['"minute";r=0']],
    };
    let consumer: Consumer;

    beforeAll(async () => {
      const packages = [...tarballsFor('express', 'testing'), ...framework, 'typescript@~5.9.0'];
      consumer = await Consumer.install('express', join(folder, name), packages);
      await consumer.compile();
    }, TIMEOUT_MS);

    it.each([
      ['an ES module', 'esm.mjs'],
      ['CommonJS', 'cjs.cjs'],
    ])('work from %s in JavaScript, with both builds on one request', async (_name, file) => {
      expect(await consumer.run(file)).toEqual(expected);
    });

    it('work from both in TypeScript', async () => {
      expect([await consumer.run('out/esm-typed.mjs'), await consumer.run('out/cjs-typed.cjs')]).toEqual([
        expected,
        expected,
      ]);
    });

    it('work with the classic module resolution of TypeScript 5', async () => {
      await consumer.compileClassic();

      const kinds = ['function', 'function', 'function', 'function'];
      expect(await consumer.run('out/classic/classic.js')).toEqual({ allowed: true, kinds });
    });
  });

  describe('such as those that the first program of the README needs', () => {
    let consumer: Consumer;

    beforeAll(async () => {
      // npm installs Express, because the adapter has it as a peer.
      const packages = [...tarballsFor('express'), '@types/express@^5.0.0'];
      consumer = await Consumer.install('readme', join(folder, 'readme'), packages);
      const [, program = ''] = /```ts\n(.*?)```/s.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? [];
      const common = program.replaceAll(/^import (.+) from ('.+');$/gm, 'const $1 = require($2);');
      await writeFile(join(consumer.folder, 'typed.mts'), program);
      await writeFile(join(consumer.folder, 'plain.mjs'), program);
      await writeFile(join(consumer.folder, 'common.cjs'), common);
      await consumer.compile();
    }, TIMEOUT_MS);

    it.each([
      ['an ES module', 'plain.mjs'],
      ['CommonJS', 'common.cjs'],
      ['TypeScript', 'out/typed.mjs'],
    ])('deny the 101st request in %s', async (_name, file) => {
      expect(await consumer.run(file, '--require', './requests.cjs')).toEqual([...Array<number>(100).fill(200), 429]);
    });

    it('print in CommonJS what the guide says', async () => {
      const { program, printed } = await firstOf('getting-started');
      await writeFile(join(consumer.folder, 'guide.cjs'), program);

      expect(printed).toContain('429');
      expect(await consumer.print('guide.cjs')).toBe(printed);
    });
  });

  describe('such as the adapter of Fastify', () => {
    let consumer: Consumer;

    beforeAll(async () => {
      const packages = [...tarballsFor('fastify'), 'fastify@^5.0.0', '@types/node@^20.19.0'];
      consumer = await Consumer.install('fastify', join(folder, 'fastify'), packages);
    }, TIMEOUT_MS);

    it.each([
      ['an ES module', 'esm.mjs'],
      ['CommonJS', 'cjs.cjs'],
    ])('register from %s by name, as the default export and as the module', async (_name, file) => {
      const statuses = [200, 200, 429];

      expect(await consumer.run(file)).toEqual([statuses, statuses, statuses]);
    });

    it('print in CommonJS what the guide says', async () => {
      const { program, printed } = await firstOf('fastify');
      await writeFile(join(consumer.folder, 'guide.cjs'), program);

      expect(printed).toContain('/search 200 10 9');
      expect(await consumer.print('guide.cjs')).toBe(printed);
    });

    it('work in TypeScript', async () => {
      await consumer.compile();

      expect(await consumer.run('out/esm-typed.mjs')).toEqual([200, 200, 429]);
    });
  });

  describe('such as the adapter of Hono', () => {
    let consumer: Consumer;

    beforeAll(async () => {
      const packages = [...tarballsFor('hono'), 'hono@^4.8.0', '@types/node@^20.19.0'];
      consumer = await Consumer.install('hono', join(folder, 'hono'), packages);
      await consumer.compile();
    }, TIMEOUT_MS);

    it.each([
      ['an ES module', 'esm.mjs'],
      ['CommonJS', 'cjs.cjs'],
      ['TypeScript', 'out/esm-typed.mjs'],
    ])('limit from %s', async (_name, file) => {
      expect(await consumer.run(file)).toEqual([200, 200, 429]);
    });
  });

  describe('such as those of metrics', () => {
    const expected = {
      prometheus: ['sluice_tier_units_total{sluice_tier="api"} 2'],
      opentelemetry: [{ attributes: { 'sluice.tier': 'api' }, value: 2 }],
    };
    let consumer: Consumer;

    beforeAll(async () => {
      const packages = tarballsFor('prometheus', 'opentelemetry');
      const clients = ['prom-client@^15.1.3', '@opentelemetry/api@~1.9.1', '@opentelemetry/sdk-metrics@^2.12.0'];
      const types = ['@types/node@^20.19.0'];
      consumer = await Consumer.install('metrics', join(folder, 'metrics'), [...packages, ...clients, ...types]);
      await consumer.compile();
    }, TIMEOUT_MS);

    it.each([
      ['an ES module', 'out/esm.mjs'],
      ['CommonJS', 'out/cjs.cjs'],
    ])('count for both readers from %s', async (_name, file) => {
      expect(await consumer.run(file)).toEqual(expected);
    });
  });

  it(
    'hold the command line: at most 4.8 MB of Sluice, 5.5 MB of a parser and 2 MB of others, beside ioredis',
    async () => {
      const packages = tarballsFor('cli');
      const consumer = await Consumer.install('cli', join(folder, 'cli'), packages);
      const { commands, monitoring, megabytes } = (await consumer.run('run.mjs')) as {
        readonly commands: readonly string[];
        readonly monitoring: number;
        readonly megabytes: Readonly<Record<'ours' | 'parser' | 'others', number>>;
      };

      expect(commands).toEqual(expect.arrayContaining(['doctor', 'bench', 'monitoring', 'completion']));
      expect(monitoring).toBe((await readdir(join(root, 'monitoring'))).length);
      // The packages of Sluice, each with both formats and its declarations.
      expect(megabytes.ours).toBeLessThanOrEqual(4.8);
      // `migrate` reads programs. More than half are the types of the parser, which depends on them.
      expect(megabytes.parser).toBeLessThanOrEqual(5.5);
      // Tables, options, differences and YAML.
      expect(megabytes.others).toBeLessThanOrEqual(2);
    },
    TIMEOUT_MS,
  );

  it(
    'work with NestJS',
    async () => {
      const nest = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@^12.0.0`);
      const packages = [...tarballsFor('nestjs'), ...nest, 'reflect-metadata@^0.2.0', 'rxjs@^7.8.0'];
      const consumer = await Consumer.install('nestjs', join(folder, 'nestjs'), packages);

      expect(await consumer.run('esm.mjs')).toEqual([200, 200, 429]);
    },
    TIMEOUT_MS,
  );
});

/**
 * The first program of a guide with the requests that show it, in CommonJS, which waits in functions alone, and what the guide
 * says that it prints.
 */
async function firstOf(guide: string): Promise<{ readonly program: string; readonly printed: string }> {
  const text = await readFile(join(root, 'docs', 'guide', `${guide}.md`), 'utf8');
  const [shown = '', printed = ''] = text.split('```text\n', 2);
  const typed = [...shown.matchAll(/```ts.*\n([^]*?)```/g)].map(([, code]) => code).join('\n');
  const { code } = await transform(typed, { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } });
  const common = code
    // A port that another program of this machine may have. The requests open one of their own.
    .replace(/^app\.listen\(3000\);$/m, '')
    .replaceAll(/^import (.+) from ('.+');$/gm, 'const $1 = require($2);');
  return { program: `void (async () => {\n${common}})();\n`, printed: printed.slice(0, printed.indexOf('```')) };
}
