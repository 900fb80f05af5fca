import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationOf } from '../../packages/migrate/src/migrate.js';
import { FIXTURES, migrated, textOf } from './fixtures.js';
import { documentOf, sluiceMigrate } from './sluice-migrate.js';

const PROGRAM = `import { rateLimit } from 'express-rate-limit';\nexport const limit = rateLimit({ limit: 5 });\n`;

describe('@sluice/migrate', () => {
  it.each(FIXTURES)('translates %s, or names what it cannot read', async (path) => {
    const { translations, problems } = await migrated(path, textOf(path));

    const [{ text, unread, differences } = { text: '', unread: [], differences: [] }] = translations;
    const left = text === textOf(path) ? unread : { text, unread };
    const [result] = unread.length > 0 ? [left] : [text];
    expect(problems).toEqual([]);
    expect({ result, differs: differences.map((each) => each.text) }).toMatchSnapshot();
  });

  describe.each([
    [
      'a name that is declared twice',
      "import { rateLimit } from 'express-rate-limit';\nfunction f(rateLimit) { rateLimit(); }",
      'rateLimit is declared more than once',
    ],
    [
      'a name of ours',
      "import { rateLimit as limit } from 'express-rate-limit';\nconst by = 1;\nlimit({ keyGenerator: (r) => r.query.k });",
      'by is a name that Sluice has too',
    ],
    [
      'options from elsewhere',
      "import { rateLimit } from 'express-rate-limit';\nrateLimit({ ...shared, limit: 5 });",
      'the options have ...shared, which is not seen',
    ],
    [
      'options that change',
      "import { rateLimit } from 'express-rate-limit';\nconst shared = { limit: 5 };\nshared.limit = 9;\nrateLimit({ ...shared });",
      'the options have ...shared, which is not seen',
    ],
    [
      'a call with a variable',
      "import { rateLimit } from 'express-rate-limit';\nrateLimit(options);",
      'the options are not an object of this file',
    ],
    [
      'a store of another kind',
      "import { rateLimit } from 'express-rate-limit';\nrateLimit({ store: new MongoStore() });",
      'and only those of Redis and of memory are read',
    ],
    [
      'an unknown option',
      "import { rateLimit } from 'express-rate-limit';\nrateLimit({ speed: 1 });",
      'speed is no option that this command knows',
    ],
    [
      'a handler that lets requests continue',
      "import { rateLimit } from 'express-rate-limit';\nrateLimit({ handler: (q, s, next) => next() });",
      'handler lets some of the denied requests continue',
    ],
    [
      'a handler without a status',
      "import { rateLimit } from 'express-rate-limit';\nrateLimit({ handler: (q, s) => s.send('no') });",
      'handler sets no status',
    ],
    [
      'a method of the limit',
      "import { rateLimit } from 'express-rate-limit';\nconst limit = rateLimit({});\nlimit.resetKey('a');",
      'limit.resetKey is called',
    ],
    [
      'a client of the old interface',
      "import { RateLimiterRedis } from 'rate-limiter-flexible';\nconst client = redis.createClient({ legacyMode: true });\nconst limiter = new RateLimiterRedis({ storeClient: client, points: 5 });",
      'the client has legacyMode',
    ],
    ['no limit at all', "import { rateLimit } from 'express-rate-limit';\nrateLimit({ limit: 0 });", 'limit is 0'],
  ])('%s', (_name, program, message) => {
    it('is named, and the file left alone', async () => {
      const { translations } = await migrated('app.js', program);

      expect(translations[0]!.unread.map(({ what }) => what).join()).toContain(message);
      expect(translations[0]!.text).toBe(program);
    });
  });

  describe.each([
    ['a mistake of syntax', `${PROGRAM}const = 1;`, 'Unexpected token'],
    ['brackets without end', `${PROGRAM}${'['.repeat(100_000)}`, 'is nested too deeply'],
    ['more than 1 MB', `${PROGRAM}//${'x'.repeat(2 ** 20)}`, 'has more than 1 MB'],
    ['bytes of something else', `\0\u0001express-rate-limit`, 'Unexpected character'],
  ])('%s', (_name, program, message) => {
    it('is a problem with a line', async () => {
      const { problems, translations } = await migrated('app.ts', program);

      expect(translations).toEqual([]);
      expect(problems).toEqual([
        { path: 'app.ts', line: expect.any(Number), message: expect.stringContaining(message) },
      ]);
    });
  });

  it.each(['(req) => ipKeyGenerator(req.ip) + req.body.email', 'named'])(
    'says what counts a network together with something else: %s',
    async (generator) => {
      const program = `import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
const named = (req) => ipKeyGenerator(req.ip) + req.body.email;
rateLimit({ keyGenerator: ${generator} });
`;

      const { translations } = await migrated('app.js', program);

      expect(translations[0]!.unread.map(({ hand }) => hand)).toContain(
        "write key: compose(byIp(), by('email', (request) => …))",
      );
    },
  );

  it.each([
    ['an option', "limit: config.rateLimit.limit, message: 'no'"],
    ['settings of a parameter', 'limit: settings.rateLimit.limit'],
    ['a field of the application', 'limit: this.config.rateLimit.limit'],
  ])('leaves %s that is named rateLimit as it is', async (_name, option) => {
    const program = `import { rateLimit } from 'express-rate-limit';\nexport function make(settings) {\n  return rateLimit({ ${option} });\n}\n`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.unread).toEqual([]);
    expect(translations[0]!.text).toContain(option.split(',')[0]);
  });

  it.each([
    ['express-rate-limit', 'rateLimit', '(req) => req.ip', '/128'],
    ['express-rate-limit', 'rateLimit', '(req) => req.user?.id ?? req.ip', '/128'],
    ['express-rate-limit', 'rateLimit, ipKeyGenerator', '(req) => ipKeyGenerator(req.ip)', '/56'],
    ['hono-rate-limiter', 'rateLimiter', '(c) => getConnInfo(c).remote.address', '/128'],
  ])('says how IPv6 clients of %s were counted: %s by %s', async (peer, names, generator, network) => {
    const [factory] = names.split(',');
    const program = `import { ${names} } from '${peer}';\n${factory}({ keyGenerator: ${generator} });\n`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.differences.map(({ text }) => text).join('\n')).toContain(`by /64 instead of ${network}`);
  });

  it('says of a module of NestJS that decorators in other files stay without effect', async () => {
    const program = `import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';\nThrottlerModule.forRoot([{ limit: 10, ttl: 60_000 }]);\nconst guard = { provide: APP_GUARD, useClass: ThrottlerGuard };\n`;

    const { translations } = await migrated('module.ts', program);

    expect(translations[0]!.differences.map(({ text }) => text)).toContain(
      'Decorators of @nestjs/throttler do nothing beside RateLimitGuard: name all files that import it.',
    );
  });

  it('finds nothing in a large file of something else', async () => {
    const { translations, problems } = await migrated('data.js', `export default "${'x'.repeat(2 ** 21)}";`);

    expect({ translations, problems }).toEqual({ translations: [], problems: [] });
  });

  it('gives each limit in Redis a name of its own, in all files', async () => {
    const program = (prefix: string) => `import { rateLimit } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
export const limiter = rateLimit({ store: new RedisStore({ ${prefix}sendCommand: (...args) => redis.call(...args) }) });
`;
    const texts = new Map([
      ['users.js', program('')],
      ['users.mjs', program('')],
      ['login.js', program("prefix: 'rl:login:', ")],
    ]);

    const { translations } = await migrationOf(texts);

    expect(translations.map(({ text }) => /name: '([^']+)'/.exec(text)?.[1])).toEqual(['users', 'users-2', 'login']);
  });

  describe('as a command', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sluice-migrate-'));
    });

    afterAll(() => rm(folder, { recursive: true }));

    it('prints the difference, and writes only with --write', async () => {
      const file = join(folder, 'app.mjs');
      await writeFile(file, PROGRAM);

      const shown = await sluiceMigrate([file]);
      const untouched = await readFile(file, 'utf8');
      const written = await sluiceMigrate(['--write', file]);

      expect(shown.code).toBe(0);
      for (const line of [
        "-import { rateLimit } from 'express-rate-limit';",
        "+import { rateLimit } from '@sluice/express';",
      ]) {
        expect(shown.stdout).toContain(`\n${line}\n`);
      }
      expect(shown.stdout).toContain('npm install @sluice/express\nnpm uninstall express-rate-limit');
      expect(shown.stderr).toBe('1 of 1 file would change\nnothing was written: add --write\n');
      expect(untouched).toBe(PROGRAM);
      expect(written.code).toBe(0);
      expect(await readFile(file, 'utf8')).toContain(
        "rateLimit({ limit: 5, window: '1m', algorithm: 'fixed-window' })",
      );
    });

    it('exits with 1 for what it could not read, with 2 for what is no program, and with 0 for other files', async () => {
      const [unread, broken, other] = ['unread.js', 'broken.js', 'other.js'].map((name) => join(folder, name));
      await writeFile(unread!, "const { rateLimit } = require('express-rate-limit');\nrateLimit(options);\n");
      await writeFile(broken!, "require('express-rate-limit'");
      await writeFile(other!, 'export {};\n');

      const runs = [];
      for (const args of [[unread!], [broken!], [other!], [join(folder, 'none.js')], [folder]]) {
        runs.push(await sluiceMigrate(args));
      }

      expect(runs.map(({ code }) => code)).toEqual([1, 2, 0, 2, 2]);
      expect(runs[0]!.stdout).toContain(`- ${unread!}:2 the options are not an object of this file`);
      expect(runs[1]!.stdout).toContain(`- ${broken!}:1 Unexpected token`);
      expect(runs[2]!.stderr).toContain('none of 1 files uses a limiter that this command reads');
      expect(runs[3]!.stderr).toContain('there is no such file');
      expect(runs[4]!.stderr).toContain('0 of 4 files would change');
    });

    it('exits with 1 for a limiter that it only names, and tells its guide', async () => {
      const file = join(folder, 'jobs.js');
      await writeFile(file, "import Bottleneck from 'bottleneck';\nexport const jobs = new Bottleneck();\n");

      const run = await sluiceMigrate([file]);

      expect(run.code).toBe(1);
      expect(run.stdout).toContain(`- ${file}:1 bottleneck is not translated`);
      expect(run.stdout).toContain('docs/guide/migrate-from-bottleneck.md');
    });

    it('tells to remove a package only if no file of the run needs it', async () => {
      const [done, left] = ['done.mjs', 'left.mjs'].map((name) => join(folder, name));
      await writeFile(done!, PROGRAM);
      await writeFile(left!, "import { rateLimit } from 'express-rate-limit';\nrateLimit(options);\n");

      const alone = documentOf(await sluiceMigrate(['--json', done!]));
      const both = await sluiceMigrate([done!, left!]);
      const document = documentOf(await sluiceMigrate(['--json', done!, left!]));

      expect(alone['remove']).toEqual(['express-rate-limit']);
      expect(document['remove']).toEqual([]);
      expect(both.stdout).not.toContain('npm uninstall');
      expect(both.stderr).toContain('1 of 2 files would change; 1 place is left alone\n');
    });

    it('says why files wait for another one', async () => {
      const [app, routes] = ['app.mjs', 'routes.mjs'].map((name) => join(folder, name));
      await writeFile(app!, "import rateLimit from '@fastify/rate-limit';\napp.register(rateLimit, { max: 5 });\n");
      await writeFile(routes!, "app.get('/', { config: { rateLimit: { ban: 3 } } }, handler);\n");

      const run = await sluiceMigrate([app!, routes!]);

      expect(run.code).toBe(1);
      expect(run.stderr).toContain(
        '0 of 2 files would change; 1 place is left alone; 1 file would change without them, because @fastify/rate-limit is replaced in all files together',
      );
    });
  });
});
