import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, sluice } from '../cli/sluice.js';
import { openPage } from '../dashboard/open-page.js';
import { withRedis } from '../support/redis-store.js';
import { until } from '../support/until.js';
import { ServiceProcess } from './service-process.js';

const PASSWORD = 'a-password-of-the-dashboard';
const limits = (limit: number) => `
version: 1
limiters: { api: { tiers: [{ name: ip-hour, key: ip, limit: ${limit}, window: 1h, algorithm: fixed-window }] } }
extensions: { server: { descriptors: [{ tier: ip-hour, from: [remote_address] }] } }
`;

describe('Two processes of the service on one Redis', () => {
  const redis = withRedis();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-view-'));
  const file = join(folder, 'limits.yaml');
  let services: ServiceProcess[];

  beforeAll(async () => {
    writeFileSync(file, limits(5));
    const args = ['--redis', redis.server.url, '--deadline', '10s'];
    services = await Promise.all([
      ServiceProcess.start(file, [...args, '--dashboard-token', PASSWORD]),
      ServiceProcess.start(file, args),
    ]);
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    rmSync(folder, { recursive: true });
  });

  const policies = (...args: readonly string[]) =>
    sluice(['policies', ...args], { env: { SLUICE_REDIS_URL: redis.server.url }, cwd: folder });
  const limitOf = async (service: ServiceProcess) => {
    const { body } = await service.post('/check', { limiter: 'api', request: { ip: '192.0.2.9' }, peek: true });
    return (body['decision'] as { outcomes: readonly { limit: number }[] }).outcomes[0]!.limit;
  };

  it('take the policies that sluice policies apply writes, and are listed with their version by status', async () => {
    writeFileSync(join(folder, 'applied.yaml'), limits(9));

    const applied = await policies('apply', 'applied.yaml', '--by', 'spec', '--reason', 'more', '--yes');
    await until(async () => (await Promise.all(services.map(limitOf))).every((limit) => limit === 9));
    const status = await policies('status', '--json');

    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('applied v1; 2 of 2 processes') });
    const { processes } = documentOf(status) as { processes: readonly { version?: number; problem?: unknown }[] };
    expect(processes.map(({ version, problem }) => ({ version, problem }))).toEqual([
      { version: 1, problem: undefined },
      { version: 1, problem: undefined },
    ]);
  });

  it('are shown on the dashboard of one of them with what each has decided', async () => {
    const url = `http://127.0.0.1:${services[0]!.operations}/dashboard/`;
    const basic = Buffer.from(`ada:${PASSWORD}`).toString('base64');
    const page = await openPage(url, { authorization: `Basic ${basic}` });
    await until(() => page.tick?.processes.length === 2);

    const check = { limiter: 'api', request: { ip: '192.0.2.1' } };
    for (let count = 0; count < 6; count += 1) await services[1]!.post('/check', check);
    const client = services[0]!.client;
    for (let count = 0; count < 4; count += 1) await client.check('api', { remote_address: '192.0.2.1' });
    const totals = () => page.tick!.processes.map(({ decisions }) => decisions.ok + decisions.denied);
    await until(() => totals().reduce((sum, count) => sum + count, 0) >= 10);
    const tick = page.tick!;
    page.close();

    expect(tick.decisions).toMatchObject({ ok: 9, denied: 1, unavailable: 0 });
    expect(totals().toSorted((one, other) => one - other)).toEqual([4, 6]);
    expect(tick.tiers.map(({ name }) => name)).toEqual(['ip-hour']);
  });

  it.each(['', 'Basic YWRhOndyb25nLXBhc3N3b3Jk', `Bearer another-password-of-nobody`])(
    'show no dashboard to a person with the authorization "%s"',
    async (authorization) => {
      const headers = authorization === '' ? {} : { authorization };
      const urls = ['', 'api/state', 'api/events'].map(
        (path) => `http://127.0.0.1:${services[0]!.operations}/dashboard/${path}`,
      );

      const answers = await Promise.all(urls.map((url) => fetch(url, { headers })));

      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    },
  );

  it('show no dashboard on a process without a password for it', async () => {
    const { status } = await fetch(`http://127.0.0.1:${services[1]!.operations}/dashboard/`);

    expect(status).toBe(404);
  });

  it('are no longer listed when they have stopped', async () => {
    await services[1]!.stop();

    const listed = async () =>
      (documentOf(await policies('status', '--json')) as { processes: readonly unknown[] }).processes.length;
    await until(async () => (await listed()) === 1);

    expect(await listed()).toBe(1);
  });
});
