import { join } from 'node:path';
import { redisStore } from '@sluice/redis';
import { Cluster, Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { startCluster } from '../support/cluster.js';
import { writeEveryKey } from '../support/every-key.js';
import { patient } from '../support/patient.js';
import { startRedis } from '../support/redis.js';
import { documentOf, sluice, withConfig } from './sluice.js';

interface Place {
  /** Options of `redisStore`. */
  readonly where: object;
  readonly client: Redis | Cluster;
  stop(): Promise<unknown>;
}

const PLACES: readonly [name: string, open: () => Promise<Place>][] = [
  [
    'on one server',
    async () => {
      const server = await startRedis({ args: ['--maxmemory', '100mb'] });
      return { where: { url: server.url }, client: new Redis(server.port), stop: () => server.stop() };
    },
  ],
  [
    'on a Cluster',
    async () => {
      const cluster = await startCluster({
        args: ['--maxmemory', '100mb', '--cluster-require-full-coverage', 'no'],
        replicas: 1,
      });
      const where = { cluster: cluster.startupNodes };
      return { where, client: new Cluster(cluster.startupNodes), stop: () => cluster.stop() };
    },
  ],
];

const DIGEST = 'h_tHdlBEhrTvc25VMm8vk-';
const LIMITERS = join(root, 'test/support/every-limiter.mjs');

describe.each(PLACES)('a Redis with every kind of key %s', (_name, open) => {
  let place: Place;

  beforeAll(async () => {
    place = await open();
    const store = redisStore(place.where, patient);
    try {
      await writeEveryKey(store, place.client);
    } finally {
      await store.close();
    }
  });

  afterAll(async () => {
    place.client.disconnect();
    await place.stop();
  });

  const run = (...args: readonly string[]) =>
    withConfig(
      `import { everyLimiter } from ${JSON.stringify(LIMITERS)};
export const store = redisStore(${JSON.stringify(place.where)}, { deadline: '5s' });
export const limiters = everyLimiter(store);`,
      (file) => sluice([...args, '--config', file]),
    );

  it('is fit, and no command advises to delete a key', async () => {
    const keys = await run('keys', '--rate', '100');
    const doctor = await run('doctor');

    expect(keys).toMatchObject({ code: 0, stderr: '' });
    expect(doctor).toMatchObject({ code: 0, stderr: '' });
    expect(keys.stdout).not.toContain('✗');
    expect(doctor.stdout).toMatch(/\n✓ \d+ keys in \d+ tiers, about 1mb\n(✓ .+\n)*0 problems, /);
    expect(keys.stdout + doctor.stdout).not.toMatch(/UNLINK|DEL |delete/);
  });

  it('has in the table what the loss of each key costs', async () => {
    const { kinds } = documentOf(await run('keys', '--json', '--rate', '100')) as {
      kinds: readonly { readonly kind: string; readonly tier: string | null; readonly loss: string }[];
    };
    const lossOf = (kind: string) => new Set(kinds.filter((each) => each.kind === kind).map(({ loss }) => loss));

    expect([...lossOf('balance')]).toEqual(['credits']);
    expect([...lossOf('usage')]).toEqual(['usage']);
    expect([...lossOf('policies'), ...lossOf('overrides')]).toEqual(['limits', 'limits']);
    expect([...lossOf('history of policies')]).toEqual(['history']);
    expect([...lossOf('list')]).toEqual(['addresses']);
    expect([...lossOf('fixed-window'), ...lossOf('concurrency')]).toEqual(['counts', 'counts']);
  });

  it('has one orphan and one key of another program, and nothing else, where these are added', async () => {
    const orphan = `rl:{${DIGEST}}:formerly:fwabc`;
    await place.client.set(orphan, '1', 'EX', 60);
    await place.client.set('rl:billing:foo', '1', 'EX', 60);
    const { code, stdout } = await run('keys', '--json', '--rate', '100');
    const doctor = await run('doctor', '--json');
    await place.client.del(orphan);
    await place.client.del('rl:billing:foo');

    expect(code).toBe(1);
    expect(documentOf({ code, stdout, stderr: '' })).toMatchObject({
      orphans: { count: 1, examples: [orphan] },
      foreign: { count: 1, examples: ['rl:billing:foo'] },
      stranded: { count: 0 },
      withoutExpiry: { count: 0 },
      wrongType: { count: 0 },
    });
    const { findings } = documentOf(doctor) as { findings: readonly { check: string; level: string; text: string }[] };
    expect(findings.filter(({ check }) => check === 'keys')).toMatchObject([
      { level: 'fine', text: expect.stringContaining('; 1 of shapes that no tier has, which expire') },
      { level: 'warning', text: '1 key of no limiter: rl:billing:foo' },
    ]);
  });

  it('keeps the credits of a tier that was renamed', async () => {
    const balance = `rl:{${DIGEST}}:wallet:baabc`;
    await place.client.hset(balance, 'left', 100);
    const keys = await run('keys', '--rate', '100');
    const doctor = await run('doctor');
    const forgotten = await run('forget', 'digest', DIGEST, '--yes');
    const left = await place.client.hget(balance, 'left');
    await place.client.del(balance);

    expect({ code: forgotten.code, left }).toEqual({ code: 0, left: '100' });
    expect(forgotten.stderr).toContain('a balance is paid for, and stays: --tier deletes it by its name');
    expect(keys.stdout).toContain(
      `✗ 1 key to keep, of shapes that no tier has: ${balance} (if lost: units that a client has paid for)\n`,
    );
    expect(doctor.stdout).toContain(`! 1 key of no tier, with units that a client has paid for: ${balance}`);
    expect(keys.stdout + doctor.stdout).not.toContain('UNLINK');
  });
});
