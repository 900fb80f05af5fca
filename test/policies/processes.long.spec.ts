import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisStore, type RedisStore } from '@sluice/redis';
import { redisPolicies, type PoliciesStatus, type RedisPolicies } from '@sluice/policies';
import { startProgram, type Program } from '../support/program.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';
import { textOf } from './text-of.js';

interface Report extends PoliciesStatus {
  readonly admitted: number;
  readonly errors: number;
  readonly warnings: number;
  readonly handles: number;
  readonly refunded: number;
  readonly heap: number;
}

const PROCESSES = 4;
/** A window whose counts are exact: all requests are in one. */
const limited = (limit: number) => textOf(`${limit}, algorithm: fixed-window`);

describe('policies in real processes', () => {
  let server: RedisServer;
  let store: RedisStore;
  let redis: RedisPolicies;
  let folder: string;
  let programs: Program[] = [];

  beforeEach(async () => {
    server = await startRedis();
    store = redisStore({ url: server.url }, { deadline: '5s' });
    await store.ready();
    redis = redisPolicies(store);
    folder = mkdtempSync(join(tmpdir(), 'sluice-processes-'));
    writeFileSync(join(folder, 'limits.yaml'), limited(300));
  });

  afterEach(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await store.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  async function start(count: number, nodeOptions: readonly string[] = []): Promise<void> {
    const args = [server.url, join(folder, 'limits.yaml')];
    const each = () => startProgram('test/policies/programs/worker.mjs', args, nodeOptions);
    programs = await Promise.all(Array.from({ length: count }, each));
  }

  const ask = async (message: object = {}) =>
    (await Promise.all(programs.map((program) => program.request(message)))) as Report[];
  const sum = (reports: readonly Report[], of: (report: Report) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const admitted = async () => sum(await ask(), (report) => report.admitted);

  /** Applies a text under load, and returns the seconds until the processes have taken or refused it. */
  async function apply(text: string, expected: number): Promise<number> {
    const started = performance.now();
    const { version } = (await redis.apply({ text, expected, by: 'spec', reason: 'load' })) as { version: number };
    await until(async () => {
      const processes = await redis.processes();
      return processes.every((each) => each.version === version || each.problem !== undefined);
    });
    return (performance.now() - started) / 1e3;
  }

  it('swap within six seconds under load, with no error and with exact counts', async () => {
    await start(PROCESSES);
    await ask({ run: true });
    await until(async () => (await admitted()) === 300);

    const seconds = [await apply(limited(500), 0)];
    await until(async () => (await admitted()) === 500);
    seconds.push(await apply(limited(400), 1));
    const lowered = await admitted();
    // An option that this release does not have.
    seconds.push(await apply(limited(900).replace('window:', 'windw:'), 2));
    const refused = await ask();
    seconds.push(await apply(limited(600), 3));
    await until(async () => (await admitted()) >= 600);
    const last = await ask({ run: false });

    expect(seconds.filter((each) => each > 6)).toEqual([]);
    expect(lowered).toBe(500);
    expect(refused.map(({ version, problem = '' }) => [version, problem.includes('windw is not an option')])).toEqual(
      Array.from({ length: PROCESSES }, () => [2, true]),
    );
    expect(sum(last, (report) => report.admitted)).toBe(600);
    expect(sum(last, (report) => report.errors)).toBe(0);
  });

  it('stay as large as they are over a thousand changes, and refund what was decided before them', async () => {
    await start(1, ['--expose-gc']);
    const texts = [limited(300), limited(400), textOf(500, '2h')];
    const [before] = await ask({ reload: 200, texts });

    const [after] = await ask({ reload: 1_000, texts });

    expect(before!.refunded + after!.refunded).toBe(1_200);
    expect(after!.heap - before!.heap).toBeLessThan(2e6);
    expect([after!.handles, after!.warnings]).toEqual([before!.handles, 0]);
    expect(after!.version).toBe(1_200);
  });
});
