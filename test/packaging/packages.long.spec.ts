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

/** In bytes. Core has the pages of the reference too: 48 kB. */
const LARGE: Readonly<Record<string, number>> = { core: 370_000, cli: 150_000, dashboard: 125_000 };

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
    expect(files.length).toBeLessThanOrEqual(40);
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

  // links.spec.ts follows the links of warnings and errors to them.
  it.each([
    ['core', ['errors.md', 'limiter.md', 'tiers.md', 'warnings.md']],
    ['express', ['express.md']],
    ['cli', ['cli.md']],
    ['migrate', ['migrate.md']],
  ])('hold the reference of %s, and no reference to a page that they lack', async (name, expected) => {
    const [tarball] = tarballOf(name) as [string];
    const to = await mkdtemp(join(folder, 'pages-'));
    await execute('tar', ['--extract', '--file', tarball, '--directory', to]);
    const reference = join(to, 'package', 'docs', 'reference');
    const names = await readdir(reference);
    const texts = await Promise.all(names.map((page) => readFile(join(reference, page), 'utf8')));
    const targets = texts.flatMap((text) => [...text.matchAll(/\]\(([^)\s#]+)/g)].map(([, target]) => target!));

    expect(names).toEqual(expect.arrayContaining(expected));
    expect(targets.filter((target) => !/^https?:/.test(target) && !names.includes(target))).toEqual([]);
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
        expect.arrayContaining(['OptionReader.integer', 'definePolicy', 'TierDefinition']),
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

    it('deny the third request to the CommonJS of the guide', async () => {
      await writeFile(join(consumer.folder, 'guide.cjs'), await commonJsOf('getting-started'));

      const statuses = await consumer.run('guide.cjs', '--require', './requests.cjs');
      expect(statuses).toEqual([200, 200, ...Array<number>(99).fill(429)]);
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

    it('deny the 101st request to the CommonJS of the guide', async () => {
      const program = (await commonJsOf('fastify')).replace('port: 3000', 'port: 0');
      const requests = `start().then(async (app) => {
        const responses = [];
        for (let request = 0; request < 101; request += 1) responses.push(await app.inject('/'));
        console.log(JSON.stringify(responses.map(({ statusCode }) => statusCode)));
        await app.close();
      });`;
      await writeFile(join(consumer.folder, 'guide.cjs'), program.replace(/^start\(\);$/m, requests));

      expect(await consumer.run('guide.cjs')).toEqual([...Array.from({ length: 100 }, () => 200), 429]);
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
    'hold the command line, with dependencies of at most 3 MB beside those of ioredis',
    async () => {
      const packages = tarballsFor('cli');
      const consumer = await Consumer.install('cli', join(folder, 'cli'), packages);
      const { commands, megabytes, monitoring } = (await consumer.run('run.mjs')) as Record<string, unknown>;

      expect(commands).toEqual(expect.arrayContaining(['doctor', 'bench', 'monitoring', 'completion']));
      expect(monitoring).toBe((await readdir(join(root, 'monitoring'))).length);
      expect(megabytes).toBeLessThanOrEqual(3);
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

/** The program in CommonJS of a guide. */
async function commonJsOf(guide: string): Promise<string> {
  const text = await readFile(join(root, 'docs', 'guide', `${guide}.md`), 'utf8');
  const [, program = ''] = /```js\n(const .+? = require\([^]*?)```/.exec(text) ?? [];
  return program;
}
