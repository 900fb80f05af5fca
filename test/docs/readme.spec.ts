import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis, type RedisServer } from '../support/redis.js';
import { blocksOf } from './blocks.js';
import { page } from './pages.js';
import { outputsOf } from './programs.js';

const LISTEN = 'app.listen(3000);';
const STORE = "redisStore({ url: 'redis://127.0.0.1:6379' })";

/** Listens on a free port instead of port 3000, and sends requests. */
function trial(requests: number): string {
  return `
import { once } from 'node:events';
const server = app.listen(0);
await once(server, 'listening');
const url = 'http://localhost:' + server.address().port;
for (let request = 1; request <= ${requests}; request += 1) {
  const { status, headers } = await fetch(url);
  console.log(status, headers.get('x-ratelimit-remaining'), headers.get('retry-after'));
}
server.close();
`;
}

const FASTEST = 'x fastest peer';

/** The measured figures of rows of the benchmarks. */
function figures(isMeant: (row: { readonly work: string; readonly measure: string }) => boolean): readonly number[] {
  return [...page('docs/benchmarks/README.md').text.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))
    .filter(([work = '', measure = '']) => isMeant({ work, measure }))
    .map((cells) => Number(cells[5]));
}

const least = (numbers: readonly number[]) => Math.min(...numbers).toFixed(1);
const most = (numbers: readonly number[]) => Math.max(...numbers).toFixed(1);

describe('README.md', () => {
  const [first = '', second = '', ...others] = blocksOf(page('README.md')).map(({ code }) => code);
  let server: RedisServer;
  let folder: string;

  beforeAll(async () => {
    server = await startRedis();
    folder = await mkdtemp(join(tmpdir(), 'sluice-readme-'));
  });

  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true });
  });

  async function linesOf(code: string): Promise<readonly string[]> {
    const path = join(folder, 'readme.ts');
    await writeFile(path, code);
    const [output = ''] = await outputsOf([path]);
    return output.trim().split('\n');
  }

  it('has two programs of at most 20 lines', () => {
    expect(others).toEqual([]);
    for (const code of [first, second]) expect(code.trim().split('\n').length).toBeLessThanOrEqual(20);
  });

  it('has the figures of the benchmarks, with their worst', () => {
    const text = page('README.md').text.replaceAll(/\s+/g, ' ');
    const rates = figures(({ work, measure }) => /64( and 256)? in flight|^the same/.test(work) && measure === FASTEST);
    const [leased] = figures(({ work, measure }) => work === 'one hot key, 64 in flight, lease' && measure === FASTEST);
    const lone = figures(({ work, measure }) => /one check in flight/.test(work) && measure === 'p50, x fastest peer');
    const unleased = rates.filter((rate) => rate !== leased);

    expect(text).toContain(
      `from ${least(unleased)} times (logs) to ${most(unleased)} times (a hot key) as many decisions`,
    );
    expect(text).toContain(`a single check takes about as long (${least(lone)} to ${most(lone)} times)`);
  });

  it('limits an address to 100 requests in its first program', async () => {
    expect(first).toContain(LISTEN);

    const lines = await linesOf(first.replace(LISTEN, trial(101)));

    expect(lines.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => `200 ${99 - index} null`));
    expect(lines[100]).toMatch(/^429 0 \d+$/);
  });

  it('decides two tiers on Redis in its second program', async () => {
    expect(second).toContain(LISTEN);
    expect(second).toContain(STORE);
    // A busy machine must not make this program fall back to its process.
    const patientStore = `redisStore({ url: '${server.url}' }, { deadline: '10s' })`;

    const lines = await linesOf(
      second.replace(STORE, patientStore).replace(LISTEN, `${trial(11)}await store.close();`),
    );

    expect(lines.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => `200 ${9 - index} null`));
    expect(lines[10]).toMatch(/^429 0 [1-3]$/);
  });
});
