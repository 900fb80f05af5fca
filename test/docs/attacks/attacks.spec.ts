import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startProgram, type Program } from '../../support/program.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { siteAt } from '../../support/site.js';
import { attackedCode, guidePrograms, hasSentence } from './attack.js';
import { attacks } from './attacks.js';

const programs = guidePrograms();

describe('A guide', () => {
  it('has an attack on each of its programs', () => {
    const attacked = new Set(attacks.map(({ program }) => program));

    expect([...programs.keys()].filter((name) => !attacked.has(name))).toEqual([]);
    expect([...attacked].filter((name) => !programs.has(name))).toEqual([]);
  });

  it('has the sentence of each attack', () => {
    expect(
      attacks.filter((attack) => !hasSentence(attack)).map(({ program, sentence }) => [program, sentence]),
    ).toEqual([]);
  });
});

describe('A program of a guide holds its sentence', () => {
  let redis: RedisServer;
  let folder: string;
  let client: Redis;
  let server: Program;

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.port);
    folder = await mkdtemp(join(tmpdir(), 'sluice-attacks-'));
    const loader = ['--import', './test/tools/typescript.mjs', '--no-warnings'];
    server = await startProgram('test/docs/attacks/serve-programs.mjs', [], loader);
    // It loads every framework, for which a busy machine takes more than a minute.
  });

  // Programs share names of tiers.
  beforeEach(() => client.flushall());

  afterAll(async () => {
    await server?.stop();
    client.disconnect();
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  it.each(attacks.map((attack, index) => [attack.program, attack.tries, attack, index] as const))(
    '%s, against %s',
    async (_program, _tries, attack, index) => {
      const path = join(folder, `${index}.ts`);
      await writeFile(path, attackedCode(attack, programs, redis));
      const answer = (await server.request(path)) as { port: number } | { error: string };
      if ('error' in answer) throw new Error(answer.error);
      const site = siteAt({ host: '127.0.0.1', port: answer.port }, () => undefined);

      expect.hasAssertions();
      await attack.holds(site);
    },
  );
});
