import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { redisStore, type RedisStore } from '@sluice/redis';
import { openPolicies, redisPolicies, type Policies } from '@sluice/policies';
import { root } from '../../scripts/root.mjs';
import { patient } from '../support/patient.js';
import { textOf } from '../policies/text-of.js';
import { withLimitsFile } from '../policies/with-limits-file.js';
import { documentOf, sluice, sluiceAlone, type SluiceRun } from './sluice.js';

interface Subject {
  readonly tenant: string;
}

const dist = (path: string) => JSON.stringify(join(root, 'packages', path));
const byAddress = textOf('10').replace('key: tenant', 'key: ip');

describe('sluice policies', () => {
  const redis = withLimitsFile();
  let store: RedisStore;
  let policies: Policies<Subject>;

  beforeEach(async () => {
    const own = join(redis.folder, 'own.yaml');
    writeFileSync(own, textOf(10));
    store = redisStore({ url: redis.server.url }, patient);
    const keys = { tenant: ({ tenant }: Subject) => tenant };
    policies = await openPolicies(own, { keys, fleet: redisPolicies(store) });
  });

  afterEach(async () => {
    policies.close();
    await store.close();
  });

  /** Runs a command beside a process that reads Redis often. */
  async function run(...args: string[]): Promise<SluiceRun> {
    const timer = setInterval(() => void policies.refresh().catch(() => undefined), 50);
    try {
      return await sluice(['policies', ...args], { env: { SLUICE_REDIS_URL: redis.server.url }, cwd: redis.folder });
    } finally {
      clearInterval(timer);
    }
  }

  /** A configuration with the limiter of the file. A process imports each once, and its store closes with the command. */
  function config(name: string): string {
    const path = join(redis.folder, `${name}.config.mjs`);
    writeFileSync(
      path,
      `import { redisStore } from ${dist('redis/dist/esm/index.js')};
import { openPolicies } from ${dist('policies/dist/esm/index.js')};
export const store = redisStore({ url: ${JSON.stringify(redis.server.url)} }, { deadline: '5s' });
const options = { keys: { tenant: ({ tenant }) => tenant }, plans: ({ plan }) => plan };
const policies = await openPolicies(${JSON.stringify(redis.file)}, options);
export const limiter = policies.limiter('api', { store });
policies.close();`,
    );
    return path;
  }

  it('counts the processes that limit, and no command whose configuration opens policies', async () => {
    const file = join(redis.folder, 'fleet.config.mjs');
    writeFileSync(
      file,
      `import { redisStore } from ${dist('redis/dist/esm/index.js')};
import { openPolicies, redisPolicies } from ${dist('policies/dist/esm/index.js')};
export const store = redisStore({ url: ${JSON.stringify(redis.server.url)} }, { deadline: '5s' });
const keys = { tenant: ({ tenant }) => tenant };
export const policies = await openPolicies(${JSON.stringify(redis.file)}, { keys, fleet: redisPolicies(store) });`,
    );
    const command = ['policies', 'apply', redis.file, '--reason', 'launch', '--yes', '--config', file];
    const timer = setInterval(() => void policies.refresh().catch(() => undefined), 50);

    await sluiceAlone(['policies', 'status', '--config', file]);
    const applied = await sluiceAlone(command);
    clearInterval(timer);

    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('applied v1; 1 of 1 process') as string });
  });

  const write = (text: string) => writeFileSync(redis.file, text);

  it('applies a file, tells what it changes, and waits for the processes', async () => {
    await run('apply', redis.file, '--reason', 'first', '--yes');
    write(textOf(5, '2h'));

    const unanswered = await run('apply', redis.file, '--reason', 'launch');
    const differs = await run('diff', redis.file);
    const applied = await run('apply', redis.file, '--reason', 'launch', '--by', 'ada', '--yes');
    const same = await run('diff', redis.file);
    const status = await run('status');

    expect(unanswered).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing was changed: there is no terminal'),
    });
    expect([differs.code, same.code, same.stdout]).toEqual([1, 0, 'v2 has the same limits\n']);
    expect(differs.stdout.replaceAll(/ +/g, ' ')).toBe(
      'v1 → v2\ntier change effect\napi/hour limit 10 → 5 new counts; the old ones expire\napi/hour window 1h → 2h new counts; the old ones expire\n',
    );
    expect(applied.stdout).toMatch(/\napplied v2; 1 of 1 process in \d+\.\d s\n$/);
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/^v2 [\da-f]{12}, by ada, \d.* ago: launch\noverrides: 0\n/);
    expect(policies.status()).toMatchObject({ source: 'redis', version: 2 });
  });

  it('says of the very text that the processes have that nothing changes, and of another one that it does not know', async () => {
    const same = await run('diff', 'own.yaml');
    const other = await run('diff', redis.file, '--set', 'api.hour.limit=3');
    const first = await run('apply', 'own.yaml', '--reason', 'first', '--yes');

    expect(same).toMatchObject({
      code: 0,
      stdout: 'nothing is applied yet, and this text changes nothing\n',
      stderr: expect.stringContaining('no limit and no count changes: 1 process, with this text already') as string,
    });
    expect(other.code).toBe(3);
    expect(other.stdout).toMatch(/hour +new: .+ +not known: no version before this one is in Redis/);
    expect(other.stderr).toMatch(/what it changes is not known: 1 process with the text [\da-f]{12}; apply the file/);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^nothing is applied yet → v1\napplied v1; 1 of 1 process/) as string,
    });
  });

  it.each<[string, string[]]>([
    ['apply', ['limits.yaml', '--reason', 'x']],
    ['rollback', ['v1']],
    ['override', ['hour', 'key', 'acme', '--limit', '5', '--reason', 'x']],
    ['remove', ['hour', 'key', 'acme']],
  ])('refuses to %s what no process reads, and does it with --first', async (verb, args) => {
    const text = textOf(10);
    const fleet = redisPolicies(store, { name: 'other' });
    if (verb === 'rollback') {
      for (const expected of [0, 1])
        await fleet.apply({ text: text.replace('10', `1${expected}`), expected, by: 'ada', reason: 'x' });
    }
    const isOfClient = verb === 'override' || verb === 'remove';
    const command = (each: string) => [
      verb,
      ...args,
      '--yes',
      '--name',
      'other',
      ...(isOfClient ? ['--config', config(`${verb}-${each}`)] : []),
    ];

    const refused = await run(...command('refused'));
    const { version, overrides } = await fleet.read();
    const first = await run(...command('first'), '--first');

    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was changed: no process has read the policies "other"') as string,
    });
    expect([version, overrides]).toEqual([verb === 'rollback' ? 2 : 0, []]);
    // There is no override to remove.
    expect(first.code).toBe(verb === 'remove' ? 1 : 0);
  });

  it('finds the processes whatever prefix the environment has', async () => {
    const env = { SLUICE_REDIS_URL: redis.server.url, SLUICE_PREFIX: 'acme' };

    const status = await sluice(['policies', 'status'], { env, cwd: redis.folder });
    const nobody = await sluice(['policies', 'status', '--name', 'other'], { env, cwd: redis.folder });

    expect([status.code, nobody.code]).toEqual([0, 3]);
  });

  it('changes one value of what is in force, and takes it back', async () => {
    const limiter = policies.limiter('api', { store });
    for (let tenant = 0; tenant < 40; tenant += 1) await limiter.consume({ tenant: `tenant-${tenant}` });
    await run('apply', redis.file, '--reason', 'first', '--yes');

    const staged = await run('apply', '--set', 'api.hour.enforce=50%', '--reason', 'stage', '--yes');
    const back = await run('rollback', '--yes');
    const history = await run('history', '--json');

    expect(staged.stdout).toMatch(/enforced for about (1\d|2\d) of 40 identities with a state\n/);
    expect(back.stdout).toMatch(/enforce 50% → default +counts kept; immediately; enforced for about 40 of 40 /);
    const { versions } = documentOf(history) as { versions: { version: number; reason: string }[] };
    expect(versions.map(({ version, reason }) => `${version} ${reason}`)).toEqual([
      '3 rollback to v1',
      '2 stage',
      '1 first',
    ]);
  });

  it('replays a log before the question', async () => {
    const line = (second: number) => `192.0.2.7 - - [10/Oct/2026:13:55:${second} +0000] "GET / HTTP/1.1" 200 1 "-" "-"`;
    const log = join(redis.folder, 'access.log');
    writeFileSync(log, `${Array.from({ length: 20 }, (_, index) => line(10 + index)).join('\n')}\n`);
    write(byAddress);

    const { stdout, code } = await run('apply', redis.file, '--reason', 'try', '--replay', log, '--yes');

    expect([code, stdout]).toEqual([0, expect.stringMatching(/denied.+50\.0 %/)]);
  });

  it('replays a log through each limiter of a file at its routes, beside the version in force', async () => {
    const line = (second: number) =>
      `192.0.2.7 - - [10/Oct/2026:13:55:${second} +0000] "${second % 2 ? 'POST /login' : 'GET /api/items'} HTTP/1.1" 200 1 "-" "-"`;
    const log = join(redis.folder, 'access.log');
    writeFileSync(log, `${Array.from({ length: 20 }, (_, index) => line(10 + index)).join('\n')}\n`);
    const file = (api: number, signIn: number) => `version: 1
limiters:
  api:
    routes: ['/api/*']
    tiers:
      - { name: api-minute, key: ip, limit: ${api}, window: 1m }
  sign-in:
    routes: ['POST /login']
    tiers:
      - { name: sign-in-minute, key: ip, limit: ${signIn}, window: 1m }
`;
    write(file(8, 10));
    await run('apply', redis.file, '--reason', 'first', '--yes');
    write(file(10, 3));

    const both = await run('apply', redis.file, '--reason', 'try', '--replay', log);
    const one = await run('apply', redis.file, '--reason', 'try', '--replay', log, '--limiter', 'api');

    // Ten requests for each. In force two of the API are denied, then seven sign-ins.
    expect(both.stdout).toMatch(/^denied, times as logged +10\.0 % +35\.0 % /m);
    expect(both.stdout).toMatch(/^by api-minute +10\.0 % +0\.00 %/m);
    expect(both.stdout).toMatch(/^by sign-in-minute +0\.00 % +35\.0 %/m);
    expect(one.stdout).toMatch(/^denied, times as logged +10\.0 % +0\.00 % /m);
    expect(one.stdout).not.toContain('by sign-in-minute');
  });

  it('exits with 1 and says why, if a process refuses the text', async () => {
    write(textOf(5).replace('key: tenant', 'key: account'));

    const applied = await run('apply', redis.file, '--reason', 'too new', '--yes');
    const status = await run('status');

    expect(applied).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/0 of 1 process in .+\nrefused: limits v1:5:\d+ tier "hour": key must/),
    });
    expect(status).toMatchObject({ code: 1, stdout: expect.stringContaining('its file') });
  });

  it.each<[string, string[], string]>([
    [
      'a wrong file',
      ['apply', 'wrong.yaml', '--reason', 'x', '--yes'],
      'wrong.yaml:5:46 tier "hour" (sliding-window): windw is not',
    ],
    ['a missing file', ['apply', 'none.yaml', '--reason', 'x', '--yes'], 'none.yaml cannot be read'],
    [
      'a reason with control characters',
      ['apply', 'limits.yaml', '--reason', 'a\u001b[2J', '--yes'],
      '--reason must be 1 to 200',
    ],
    [
      'an author of two lines',
      ['apply', 'limits.yaml', '--reason', 'a', '--by', 'a\nb', '--yes'],
      '--by must be 1 to 100',
    ],
    ['no file', ['apply', '--reason', 'x', '--yes'], 'nothing is applied yet: name a file'],
    ['a version', ['rollback', 'v7', '--yes'], 'there is no v7'],
    ['a value', ['diff', 'limits.yaml', '--set', 'api.none.limit=5'], 'names a tier that there is not'],
  ])('refuses %s, and stores nothing', async (_what, args, message) => {
    writeFileSync(join(redis.folder, 'wrong.yaml'), textOf('5, windw: 1s'));

    const { code, stderr } = await run(...args);

    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(await redis.client.exists('rl:{~policies}:limits')).toBe(0);
  });

  it('gives a client another limit, lists it by digest, and removes it', async () => {
    const limiter = policies.limiter('api', { store });
    const about = (command: number) => ['hour', 'key', 'acme', '--config', config(`override-${command}`)];
    const left = async () => (await limiter.peek({ tenant: 'acme' })).outcomes[0]!.remaining;

    const wrong = await run(
      'override',
      ...about(1),
      '--limit',
      '20',
      '--until',
      '2020-01-01',
      '--reason',
      'ticket 4711',
    );
    const given = ['--limit', '20', '--for', '2h', '--reason', 'ticket 4711'];
    const unanswered = await run('override', ...about(5), ...given);
    const set = await run('override', ...about(2), ...given, '--yes');
    const raised = await left();
    const list = await run('list');
    const removed = [await run('remove', ...about(3), '--yes'), await run('remove', ...about(4), '--yes')];

    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('until must be in the future') });
    expect(unanswered).toMatchObject({ code: 2, stderr: expect.stringContaining('so pass --yes') as string });
    expect(set.stdout).toMatch(/^hour: key acme has 20 until \d{4}-\S+; 1 of 1 process in /);
    expect(removed[0]!.stdout).toMatch(/^hour: key acme has the limit of the tier; 1 of 1 process in /);
    expect([raised, await left()]).toEqual([20, 10]);
    expect(list.stdout).toMatch(/^tier +digest .+\nhour +[\w-]{22} +20 +\d{4}-.+ticket 4711\n$/);
    expect(list.stdout).not.toContain('acme');
    expect(removed.map(({ code }) => code)).toEqual([0, 1]);
  });

  it('prints the text in force, an earlier one with its author, and what differs in two versions', async () => {
    const nothing = await run('show');
    const fleet = redisPolicies(store);
    await fleet.apply({ text: textOf(10), expected: 0, by: 'ada', reason: 'launch' });
    await fleet.apply({ text: textOf(5), expected: 1, by: 'grace', reason: 'ticket 7' });

    const [shown, before, wrong] = [await run('show'), await run('show', 'v1'), await run('show', 'v9')];
    const [diff, same, back] = [await run('diff', '1', 'v2'), await run('diff', '2', '2'), await run('diff', '2', '1')];
    const document = documentOf(await run('show', '1', '--json'));

    expect([nothing.code, shown.code, before.code, wrong.code]).toEqual([1, 0, 0, 2]);
    expect([shown.stdout, before.stdout]).toEqual([textOf(5), textOf(10)]);
    expect(shown.stderr).toMatch(/^v2, in force, by grace, .+ ago: ticket 7\n$/);
    expect(before.stderr).toMatch(/^v1, not in force, by ada, .+ ago: launch\n$/);
    expect(wrong.stderr).toContain('there is no v9: sluice policies history lists the last 50');
    expect([diff.code, same.code]).toEqual([1, 0]);
    expect(diff.stdout).toMatch(/^v1 → v2\ntier +change +effect\napi\/hour +limit 10 → 5 +counts kept; immediately\n$/);
    expect(back.stdout).toContain('limit 5 → 10');
    expect(document).toMatchObject({ version: 1, isInForce: false, by: 'ada', reason: 'launch', text: textOf(10) });
  });

  it('says of an override that it is in force in up to 6 s while a process has older ones', async () => {
    const file = join(redis.folder, 'young.config.mjs');
    writeFileSync(
      file,
      `import { redisStore } from ${dist('redis/dist/esm/index.js')};
import { openPolicies, redisPolicies } from ${dist('policies/dist/esm/index.js')};
export const store = redisStore({ url: ${JSON.stringify(redis.server.url)} }, { deadline: '5s' });
const keys = { tenant: ({ tenant }) => tenant };
const policies = await openPolicies(${JSON.stringify(redis.file)}, { keys, fleet: redisPolicies(store) });
export const limiter = policies.limiter('api', { store });
policies.close();`,
    );
    const limiter = policies.limiter('api', { store });
    await limiter.consume({ tenant: 'acme' });
    await policies.overrides.set({ tier: 'hour', identity: 'acme', limit: 50, reason: 'ticket 4711' });
    const explain = () => sluiceAlone(['explain', 'key', 'acme', '--config', file]);

    const settled = await explain();
    // A process that has not read Redis since.
    const old = { id: 'old', host: 'web-2', pid: 1, version: 0, sha: '', overrides: 0, changes: 0 };
    await redisPolicies(store).follow({ position: undefined, text: undefined }, old);
    const young = await explain();

    expect(settled).toMatchObject({ code: 0, stdout: expect.stringMatching(/^fits now, at /) as string });
    expect(young.stdout).toMatch(
      /^fits, at .+ by Redis' clock; in force in up to 6 s: 1 of 2 processes has older overrides\n/,
    );
  });

  it('explains which requests a limiter with routes denies', async () => {
    const limiter = policies.limiter('api', { store });
    for (let request = 0; request < 3; request += 1) await limiter.consume({ tenant: 'acme' });
    const text = textOf(2);
    write(text.replace(/^( +)tiers:/m, "$1routes: ['POST /login', '/api/*']\n$1tiers:"));
    const explain = (name: string, ...more: string[]) =>
      sluice(['explain', 'key', 'acme', '--config', config(name), ...more], { cwd: redis.folder });

    const [explained, document] = [await explain('routes'), await explain('routes-json', '--json')];

    expect(explained.code).toBe(1);
    expect(explained.stdout).toMatch(/^denied by hour \(POST \/login, \/api\/\*\); fits in /);
    expect(explained.stdout).toContain('\n  only for POST /login, /api/*\n');
    expect(documentOf(document)).toMatchObject({ tiers: [{ tier: 'hour', routes: ['POST /login', '/api/*'] }] });
  });

  it('explains a client by the limit of each plan, or by that of its own', async () => {
    const limiter = policies.limiter('api', { store });
    for (let request = 0; request < 3; request += 1) await limiter.consume({ tenant: 'acme' });
    write(textOf('{ free: 2, pro: 100, off: null, otherwise: 2 }'));
    const explain = (name: string, ...more: string[]) =>
      sluice(['explain', 'key', 'acme', '--config', config(name), ...more], { cwd: redis.folder });

    const [all, free, pro] = [
      await explain('all'),
      await explain('free', '--plan', 'free'),
      await explain('pro', '--plan', 'pro', '--json'),
    ];

    expect([all.code, free.code, pro.code]).toEqual([3, 1, 0]);
    expect(all.stderr).toContain('pass --plan with one of free, pro, otherwise');
    expect(all.stdout).toMatch(/^not known[^]+\nhour, plan free +2\/2 [^]+\nhour, plan pro +3\/100 /);
    expect(free.stdout).toMatch(/^denied by hour; fits in [^]+\nhour: limit 2, plan free\n/);
    expect(documentOf(pro)).toMatchObject({ allowed: true, tiers: [{ limit: 100, limitOf: 'plan pro' }] });
  });
});
