import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis, type RedisServer } from '../support/redis.js';
import { blocksOf, type Block } from './blocks.js';
import { pages } from './pages.js';
import { outputsOf } from './programs.js';

const programs = pages()
  .flatMap(blocksOf)
  .filter((block) => block.runs);

describe('A program on a page', () => {
  let server: RedisServer;
  let folder: string;
  let outputs: ReadonlyMap<Block, string>;

  beforeAll(async () => {
    server = await startRedis();
    folder = await mkdtemp(join(tmpdir(), 'sluice-programs-'));
    const paths = programs.map((_, index) => join(folder, `${index}.ts`));
    for (const [index, { code }] of programs.entries()) {
      const served = servedBy(server, code);
      await writeFile(paths[index]!, served);
    }
    const printed = await outputsOf(paths);
    outputs = new Map(programs.map((program, index) => [program, printed[index] ?? '']));
  });

  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true });
  });

  it.each(programs.map((program) => [program.place, program] as const))(
    '%s prints the output below it',
    (_, program) => {
      expect(program.output).toBeDefined();
      expect(outputs.get(program)).toBe(program.output);
    },
  );
});

/** Listens on a free port alone, and uses our Redis, which a busy machine must not make a program give up. */
function servedBy({ url, port }: RedisServer, code: string): string {
  return code
    .replace(/^app\.listen\(3000\);\n/m, '')
    .replaceAll('redis://127.0.0.1:6379', url)
    .replaceAll(/\b6379\b/g, String(port))
    .replaceAll(/redisStore\((client|sender|clientOf\(.+\))\);/g, "redisStore($1, { deadline: '10s' });")
    .replaceAll("deadline: '200ms'", "deadline: '10s'");
}
