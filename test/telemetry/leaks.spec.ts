import { root } from '../../scripts/root.mjs';
import { MARK, TRICKY } from '../security/requests/samples.js';
import { execute } from '../support/child.js';
import { startRedis, type RedisServer } from '../support/redis.js';

interface Exported {
  /** As OTLP in JSON, with the spans of ioredis alone. */
  readonly without: string;
  readonly spans: string;
  readonly metrics: string;
  readonly digests: readonly string[];
}

describe('startTraces and startMetrics, beside the instrumentation of ioredis', () => {
  let server: RedisServer;
  let run: Exported;

  beforeAll(async () => {
    server = await startRedis();
    const file = 'test/telemetry/programs/hostile.ts';
    const args = ['--no-warnings', '--import', './test/tools/typescript.mjs', file, String(server.port)];
    const { stdout } = await execute(process.execPath, args, { cwd: root, maxBuffer: 1e9 });
    run = JSON.parse(stdout) as Exported;
  });

  afterAll(() => server.stop());

  const leaksOf = (text: string) =>
    [MARK, ...TRICKY, '203.0.113.7', '2001:db8', ...run.digests].filter((secret) => text.includes(secret));

  it('exports no key, digest, address or recorded text of hostile requests', () => {
    expect(run.digests.length).toBeGreaterThan(50);
    for (const shown of ['sluice consume', 'db.operation.batch.size', 'sluice.denied_by']) {
      expect(run.spans.includes(shown)).toBe(true);
    }
    expect(run.metrics.includes('sluice.top.share')).toBe(true);
    expect(leaksOf(run.spans + run.metrics)).toEqual([]);
    expect(run.spans.includes('db.statement')).toBe(false);
  });

  it('suppresses spans that would show them', () => {
    const leaks = leaksOf(run.without);

    expect(leaks).toContain(MARK);
    expect(leaks.length).toBeGreaterThan(run.digests.length / 2);
  });
});
