import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as core from '@sluice/http';
import { redisStore, type RedisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { execute, spawn } from '../support/child.js';
import { environment } from '../support/environment.js';
import { startCluster } from '../support/cluster.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { documentOf, sluice, withConfig, type SluiceOptions } from './sluice.js';
import { balance, creditsOf } from '@sluice/quotas';

interface TierDocument {
  readonly tier: string;
  readonly allowed: boolean;
  readonly fitsAt: number;
}

interface ExplainDocument {
  readonly allowed: boolean;
  readonly deniedBy: readonly string[];
  readonly fitsIn: number | null;
  readonly fitsAt: number | null;
  readonly tiers: readonly TierDocument[];
}

let server: RedisServer;
let admin: Redis;
let store: RedisStore;

beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
  store = redisStore({ url: server.url }, { deadline: '5s' });
  await store.ready();
});

beforeEach(() => admin.flushall());

afterAll(async () => {
  await store.close();
  admin.disconnect();
  await server.stop();
});

/** A configuration whose limiters `define` makes of core and a store. It uses nothing else. */
function configOf(define: string, where: object): string {
  const built = (file: string) => JSON.stringify(join(root, `packages/${file}.js`));
  return `import * as index from ${built('http/dist/esm/index')};
import * as overrides from ${built('policies/dist/esm/overrides')};
const core = { ...index, ...overrides };
export const store = redisStore(${JSON.stringify(where)}, { deadline: '5s' });
export const limiters = (${define})(core, store);`;
}

/** Runs a command with the limiters of an application. */
function run(define: string, args: readonly string[], options?: SluiceOptions) {
  return withConfig(configOf(define, { url: server.url }), (file) => sluice([...args, '--config', file], options));
}

async function redisTime(): Promise<number> {
  const [seconds, microseconds] = (await admin.time()) as unknown as [string, string];
  return Number(seconds) * 1e3 + Number(microseconds) / 1e3;
}

describe('sluice explain, with credits', () => {
  const define = `({ createLimiter }, store) => {
    const key = ({ user }) => user;
    const month = { name: 'month', key, algorithm: 'fixed-window', limit: 1, window: '1d' };
    const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) };
    const prepaid = { name: 'prepaid', key, algorithm: balance() };
    return [createLimiter({ store, tiers: [month, credits] }), createLimiter({ store, tiers: [prepaid] })];
  }`;

  it('names the balance that pays, and what lacks units', async () => {
    const key = ({ user }: { user: string }) => user;
    const month = { name: 'month', key, algorithm: 'fixed-window', limit: 1, window: '1d' } as const;
    const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) } as const;
    const limiter = core.createLimiter({ store, tiers: [month, credits] });
    const prepaid = core.createLimiter({ store, name: 'prepaid', key, algorithm: balance() });
    const ada = { user: 'ada' };
    await creditsOf(limiter).credit(ada, 2, { id: 'invoice 1' });
    await creditsOf(prepaid).credit(ada, 5, { id: 'invoice 1' });
    await limiter.consume(ada);
    const paid = await run(define, ['explain', 'key', 'ada', '--json']);
    const shown = await run(define, ['explain', 'key', 'ada']);
    await limiter.consume(ada, { cost: 2 });
    await prepaid.consume(ada, { cost: 5 });
    const denied = await run(define, ['explain', 'key', 'ada', '--tier', 'prepaid']);
    const empty = await run(define, ['explain', 'key', 'ada']);
    const dear = await run(define, ['explain', 'key', 'ada', '--tier', 'month', '--cost', '5']);
    const looked = await run(define, ['look', 'key', 'ada']);
    await creditsOf(limiter).credit(ada, 2, { id: 'invoice 2' });
    const forgotten = await run(define, ['forget', 'key', 'ada', '--yes', '--json']);
    const left = await limiter.inspect(ada);
    await limiter.close();
    await prepaid.close();

    expect(documentOf(paid)).toMatchObject({ allowed: true, deniedBy: [], paidBy: ['credits'] });
    expect([paid.code, denied.code]).toEqual([0, 1]);
    expect(shown.stdout).toContain('paid by credits');
    expect(shown.stdout).toContain('It can pay for month');
    expect(empty.stdout).toContain('No credits left: it pays for nothing');
    expect(looked.stdout).toContain('No credits left: it pays for nothing');
    expect(denied.stdout).toContain('denied by prepaid; fits when it gets units');
    expect(dear.stdout).toContain('denied by month; fits when credits gets units');
    expect(documentOf(forgotten)).toMatchObject({ forgotten: ['month'] });
    expect(left.map(({ outcome }) => outcome.remaining)).toEqual([1, 2]);
  });
});

describe('sluice explain, for every algorithm', () => {
  // The clients must still be denied when the command has started, also on a busy machine.
  const window = '10s';
  const policies = [
    { name: 'fixed', algorithm: 'fixed-window', limit: 10, window },
    { name: 'log', limit: 10, window },
    { name: 'slots', limit: 100, window },
    { name: 'strict', limit: 100, window, strict: true },
    { name: 'stamps', algorithm: 'sliding-window-log', limit: 10, window },
    { name: 'bucket', algorithm: 'token-bucket', limit: 3, window, burst: 10 },
    { name: 'queue', algorithm: 'leaky-bucket', limit: 3, window, queue: 9 },
    {
      name: 'windows',
      algorithm: 'multi-window',
      windows: [
        { limit: 10, window },
        { limit: 90, window: '60s' },
      ],
    },
    { name: 'shadowed', limit: 10, window, mode: 'shadow' },
  ] as const;
  const cost = 2;

  it('names the millisecond at which the next request fits', async () => {
    const key = ({ user }: { user: string }) => user;
    const limiters = policies.map((tier) => core.createLimiter({ store, tiers: [{ ...tier, key }] }));
    const isAdmitted = async (decision: core.MaybePromise<core.Decision>) => (await decision).outcomes[0]!.allowed;
    // The share of an oldest slot falls from the first moment, so that its client could fit before the command reads it.
    const elapsed = (await redisTime()) % 10_000;
    if (elapsed > 4_000) await delay(10_000 - elapsed);
    for (const limiter of limiters) {
      let fits = true;
      while (fits) fits = await isAdmitted(limiter.consume({ user: 'ada' }, { cost }));
    }
    const define = `(core, store) => ${JSON.stringify(policies)}.map((tier) => core.createLimiter({ store, key: ({ user }) => user, ...tier }))`;
    const answer = await run(define, ['explain', 'key', 'ada', '--cost', String(cost), '--json']);
    const { allowed, deniedBy, tiers } = documentOf(answer) as unknown as ExplainDocument;

    const outcomes = await Promise.all(
      tiers.map(async ({ tier, fitsAt }) => {
        const limiter = limiters[policies.findIndex(({ name }) => name === tier)]!;
        for (;;) {
          const fits = await isAdmitted(limiter.peek({ user: 'ada' }, { cost }));
          // Redis has decided before this. A request fits somewhere in the last millisecond.
          const now = await redisTime();
          if (fits && now < fitsAt - 1) return `${tier} fits too soon`;
          if (now >= fitsAt) break;
          // What fits too soon still fits later.
          await delay(now < fitsAt - 200 ? 100 : 2);
        }
        return (await isAdmitted(limiter.consume({ user: 'ada' }, { cost }))) ? 'admitted' : `${tier} does not fit`;
      }),
    );

    expect(answer).toMatchObject({ code: 1, stderr: '' });
    expect(allowed).toBe(false);
    expect(deniedBy).toHaveLength(policies.length - 1);
    expect(outcomes).toEqual(policies.map(() => 'admitted'));
  });
});

interface Request {
  readonly ip?: string;
  readonly user?: string;
  readonly headers?: Record<string, string>;
  readonly path?: string;
}

/** The limits of an application. They use their arguments alone, because the configuration has their text. */
function defineLimits({ createLimiter: create, byIp, byApiKey }: typeof core, of: core.Store) {
  return {
    ip: create<Request>({
      store: of,
      // These tests empty Redis.
      denyCache: false,
      tiers: [
        { name: 'ip-hour', key: byIp(), limit: 5_000, window: '1h', record: ({ path }) => path },
        { name: 'ip-minute', key: byIp(), limit: 5, window: '1m' },
        { name: 'ip-trial', key: byIp(), limit: 3, window: '1m', mode: 'shadow', algorithm: 'fixed-window' },
      ],
    }),
    apiKey: create<Request>({ store: of, name: 'api-key', key: byApiKey(), limit: 9, window: '1m' }),
    plan: create<Request>({ store: of, name: 'plan', key: ({ user = '' }) => user, limit: () => 4, window: '1m' }),
    team: create<Request>({
      store: of,
      name: 'team',
      key: ({ user = '' }) => user,
      partition: () => 'acme',
      limit: 3,
      window: '1m',
    }),
    plans: create<Request>({ store: of, tiers: () => [] }),
  };
}

const LIMITS = defineLimits.toString();

/** Customers are known by their accounts, and all others by their addresses. */
const ACCOUNTS = `({ createLimiter, byIp, byApiKey }, store) => createLimiter({
  store,
  tiers: [
    { name: 'account-hour', key: byApiKey({ from: ({ account }) => account }), limit: 5, window: '1h' },
    { name: 'ip-hour', key: byIp(), limit: 50, window: '1h' },
  ],
})`;

const clientOf = (ip: string): Request => ({ ip, headers: {}, path: 'GET /search' });

describe('sluice look, explain and forget', () => {
  let limits: ReturnType<typeof defineLimits>;

  beforeAll(() => {
    limits = defineLimits(core, store);
  });

  /** A client that ip-minute denies, and that the shadow tier would deny. */
  async function denied(ip = '203.0.113.7'): Promise<void> {
    for (let request = 0; request < 6; request += 1) await limits.ip.consume(clientOf(ip));
  }

  it('explain which tier denies a client, until when, and by which state', async () => {
    await denied();
    const { code, stdout } = await run(LIMITS, ['explain', 'ip', '203.0.113.7']);
    const lines = [
      /^denied by ip-minute; fits in [\d.]+ s, at (\S+ )?[\d:.]{12} UTC by Redis' clock$/,
      /^$/,
      /^tier +used +left +one more in +empty in +next request$/,
      /^ip-hour +5\/5000 +4995 +– +(2h|1h \d+m) +fits$/,
      /^ip-minute +5\/5 +0 +[\d.]+ s +[\d.]+ s +denied: fits in [\d.]+ s$/,
      /^ip-trial +3\/3 +0 +[\d.]+ s +[\d.]+ s +would be denied: fits in [\d.]+ s$/,
      /^$/,
      /^ip-hour: limit 5000, default$/,
      /^ {2}sliding window: 0 of the 1h before × [\d.]{4} \+ 5 of this one$/,
      /^ {2}key rl:\{[\w-]{22}\}:ip-hour:sw[\w-]{3}$/,
      /^ {2}recorded: GET \/search × 5$/,
      /^$/,
      /^ip-minute: limit 5, default$/,
      /^ {2}log: 5 units in the last 1m, the oldest leaves in [\d.]+ s$/,
      /^ {2}key rl:\{[\w-]{22}\}:ip-minute:sw[\w-]{3}$/,
      /^$/,
      /^ip-trial: limit 3, default$/,
      /^ {2}fixed window: 3 units, it ends at (\S+ )?[\d:.]{12} UTC$/,
      /^ {2}key rl:\{[\w-]{22}\}:ip-trial:fw[\w-]{3}$/,
      /^$/,
    ];

    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual(lines.map((line) => expect.stringMatching(line)));
  });

  it('say which override decides, and when it ends', async () => {
    const until = Date.UTC(2127, 0, 31);
    const override = { tier: 'account', identity: 'ada', limit: 50, until, reason: 'ticket 4711' };
    const define = `(core, store) => {
      const limiter = core.createLimiter({ store, name: 'account', key: ({ user }) => user, limit: 5, window: '1h' });
      core.overridesOf(limiter).set(${JSON.stringify(override)});
      return [limiter];
    }`;

    const answers = await Promise.all([[], ['--json']].map((more) => run(define, ['explain', 'key', 'ada', ...more])));

    expect(answers[0]!.stdout).toContain(
      '  override, until 2127-01-31 00:00:00.000 UTC: limit 50 (ticket 4711)\n  log: 0 units',
    );
    expect(documentOf(answers[1]!)).toMatchObject({
      allowed: true,
      tiers: [{ limit: 50, override: { limit: 50, until, reason: 'ticket 4711' } }],
    });
  });

  it('print JSON in milliseconds, with null for never', async () => {
    await denied();
    const [explained, never, fitting] = await Promise.all([
      run(LIMITS, ['explain', 'ip', '203.0.113.7', '--json']),
      run(LIMITS, ['explain', 'ip', '203.0.113.7', '--json', '--cost', '6']),
      run(LIMITS, ['explain', 'ip', '203.0.113.7', '--json', '--tier', 'ip-hour']),
    ]);

    expect(documentOf(explained)).toMatchObject({
      v: 1,
      allowed: false,
      deniedBy: ['ip-minute'],
      fitsIn: expect.any(Number),
      tiers: [
        { tier: 'ip-hour', allowed: true, used: 5, remaining: 4_995, terms: { form: 'slots' } },
        { tier: 'ip-minute', allowed: false, shadow: false, retryAfter: expect.any(Number), terms: { form: 'log' } },
        { tier: 'ip-trial', allowed: false, shadow: true, terms: { form: 'window', units: 3 } },
      ],
    });
    expect(documentOf(never)).toMatchObject({ allowed: false, fitsIn: null, fitsAt: null });
    expect(documentOf(fitting)).toMatchObject({ allowed: true, deniedBy: [], fitsIn: 0, tiers: [{ tier: 'ip-hour' }] });
    expect([explained.code, never.code, fitting.code]).toEqual([1, 1, 0]);
  });

  it('look at all addresses of an IPv6 network, as byIp does', async () => {
    await limits.ip.consume(clientOf('2001:db8:0:7::1'));
    const [same, other] = await Promise.all([
      run(LIMITS, ['look', 'ip', '2001:db8:0:7:ffff::2']),
      run(LIMITS, ['look', 'ip', '2001:db8:0:8::1']),
    ]);

    expect(same).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ip-minute +1\/5 +4 +– .+ fits$/m) });
    expect(other).toMatchObject({
      code: 0,
      stdout: 'nothing stored for ip 2001:db8:0:8::1 in 5 tiers, and no other key of it in Redis\n',
    });
  });

  it('do not know a client that no tier counts by such an identity', async () => {
    const [explained, document, forgotten, known] = await Promise.all([
      run(ACCOUNTS, ['explain', 'api-key', 'free-key']),
      run(ACCOUNTS, ['look', 'api-key', 'free-key', '--json']),
      run(ACCOUNTS, ['forget', 'api-key', 'free-key', '--yes']),
      run(ACCOUNTS, ['explain', 'account', 'acme']),
    ]);

    const text = 'not known: these tiers count by account and ip, and not by api-key\n';
    expect(explained).toMatchObject({ code: 3, stdout: text });
    expect(forgotten).toMatchObject({ code: 3, stdout: text });
    expect(document.code).toBe(3);
    expect(documentOf(document)).toMatchObject({ allowed: null, tiers: [] });
    expect(known).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^nothing stored for account acme in 2 tiers/),
    });
  });

  it('read an API key from stdin, and print no secret', async () => {
    await limits.apiKey.consume({ headers: { 'x-api-key': 'hunter2' } });
    const env = { SLUICE_SECRET: 'hunter3' };
    const runs = await Promise.all([
      run(LIMITS, ['look', 'api-key', '-'], { input: 'hunter2\n', env }),
      run(LIMITS, ['explain', 'api-key', '-', '--json'], { input: 'hunter2\n', env }),
      run(LIMITS, ['look', 'api-key', '-'], { input: 'hunter22\n', env }),
    ]);

    expect(runs[0].stdout).toMatch(/^api-key +1\/9 +8 /m);
    expect(documentOf(runs[1])).toMatchObject({ tiers: [{ tier: 'api-key', used: 1 }] });
    expect(runs[2].stdout).toBe('nothing stored for this api-key in 5 tiers, and no other key of it in Redis\n');
    expect(JSON.stringify(runs)).not.toContain('hunter');
  });

  it('say which tiers need a limit or a partition, and end with 3', async () => {
    await limits.plan.consume({ user: 'ada' });
    await limits.team.consume({ user: 'ada' });
    const [open, answered, quiet, kept] = await Promise.all([
      run(LIMITS, ['look', 'key', 'ada']),
      run(LIMITS, ['look', 'key', 'ada', '--limit', '4', '--partition', 'acme', '--json']),
      run(LIMITS, ['look', 'key', 'ada', '--quiet']),
      run(LIMITS, ['forget', 'key', 'ada']),
    ]);

    expect(open.stdout).toMatch(
      /^tier .+\nplan +\? +\? +\? +\? +limit by request\nteam +\? +\? +\? +.+ not known: needs --partition\n$/,
    );
    expect(open.stderr.split('\n')).toEqual([
      'plan has a state, and its limit depends on the request: pass the limit of this client as --limit',
      'team has a state in a partition: pass --partition',
      '',
    ]);
    // No answer is not a good one.
    expect([open.code, quiet.code, answered.code]).toEqual([3, 3, 0]);
    expect(documentOf(answered)).toMatchObject({
      allowed: true,
      tiers: [
        { tier: 'plan', limit: 4, used: 1 },
        { tier: 'team', limit: 3, used: 1 },
      ],
    });
    expect(quiet.stderr).toBe('');
    expect(kept.stdout).toMatch(/^plan +\? +\? +\? +\? +limit by request$/m);
  });

  it('print colors only where they are wanted, and nothing after head has read enough', async () => {
    await denied();
    const args = ['explain', 'ip', '203.0.113.7'];
    const forced = await run(LIMITS, args, { env: { FORCE_COLOR: '1' } });
    const refused = await run(LIMITS, args, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    const named = await run(LIMITS, [...args, '--no-color'], { env: { FORCE_COLOR: '1' } });
    const piped = await withConfig(configOf(LIMITS, { url: server.url }), (file) => {
      const main = join(root, 'packages/cli/dist/esm/main.js');
      const command = `node ${main} ${args.join(' ')} --config ${file} --quiet | head -1`;
      return execute('sh', ['-c', command], { env: environment() });
    });

    expect(forced.stdout).toContain('\u001b[31mdenied by ip-minute');
    expect(refused.stdout + named.stdout).not.toContain('\u001b');
    expect(piped.stdout).toMatch(/^denied by ip-minute; [^\n]+\n$/);
    expect(piped.stderr).toBe('');
  });

  it('forget nothing without a yes, and then what was printed', async () => {
    await denied();
    const args = ['forget', 'ip', '203.0.113.7', '--tier', 'ip-minute'];
    const refused = await run(LIMITS, args);
    const before = await limits.ip.peek(clientOf('203.0.113.7'));
    const agreed = await run(LIMITS, [...args, '--yes']);
    const after = await limits.ip.of(core.byIp()({ ip: '203.0.113.7' }) as core.Key).inspect();
    const again = await run(LIMITS, [...args, '--yes', '--json']);

    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
    expect(before.allowed).toBe(false);
    expect(agreed.code).toBe(0);
    expect(agreed.stdout).toMatch(/\nip-minute +5\/5 .+\nforgot ip 203\.0\.113\.7 in ip-minute\n$/);
    expect(agreed.stderr).toContain('may deny it for up to 60 s more');
    expect(after.map(({ outcome }) => outcome.limit - outcome.remaining)).toEqual([5, 0, 3]);
    expect(documentOf(again)).toEqual({ v: 1, forgotten: [], before: [], others: [] });
  });

  it('ask on a terminal before they forget', async () => {
    await denied();
    const main = join(root, 'packages/cli/dist/esm/main.js');
    await withConfig(configOf(LIMITS, { url: server.url }), async (file) => {
      const command = `node ${main} forget ip 203.0.113.7 --config ${file}`;
      // `script` is a terminal, and ends with the exit code of the command.
      const type = async (answer: string) => {
        const child = spawn('script', ['-qec', command, '/dev/null'], { env: environment() });
        let stdout = '';
        child.stdout.on('data', (chunk: Buffer) => {
          const wasAsked = stdout.includes('[y/N]');
          stdout += chunk.toString();
          if (!wasAsked && stdout.includes('[y/N]')) child.stdin.write(answer);
        });
        const [code] = (await once(child, 'close')) as [number];
        return { code, stdout };
      };
      const refusals = await Promise.all([type('n\n'), type('\u0004'), type('\u0003')]);
      const isDenied = !(await limits.ip.peek(clientOf('203.0.113.7'))).allowed;
      const yes = await type('y\n');

      expect(refusals.map(({ code }) => code)).toEqual([0, 0, 130]);
      expect(refusals[0].stdout).toMatch(/Forget ip 203\.0\.113\.7 in ip-hour, ip-minute, ip-trial\? \[y\/N\]/);
      expect(refusals[0].stdout).toContain('nothing was changed');
      expect(isDenied).toBe(true);
      expect(yes.stdout).toContain('forgot ip 203.0.113.7 in ip-hour, ip-minute, ip-trial');
    });
  });

  it('report a key with data of another program', async () => {
    await denied();
    const [key = ''] = await admin.keys('*:ip-minute:*');
    await admin.set(key, 'text');
    const { code, stderr } = await run(LIMITS, ['explain', 'ip', '203.0.113.7']);

    expect(code).toBe(1);
    expect(stderr).toContain('sluice keys finds such keys');
  });

  it('end with 2 for a wrong command line', async () => {
    const wrong: [args: string[], message: string][] = [
      [['look', 'key', 'ada', '--tier', 'nope'], '--tier nope: the configuration has ip-hour'],
      [['look', 'key', 'ada', '--tier', 'team'], '--partition must name the partition'],
      [['look', 'ip', 'ada'], 'ip: "ada" is not an identity of this kind'],
      [['look', 'key', 'ada', '--cost', '1.5'], 'Write a whole number of at least 0'],
      [['look', 'ip'], "missing required argument 'value'"],
    ];
    const runs = await Promise.all(wrong.map(([args]) => run(LIMITS, args)));

    expect(runs).toEqual(
      wrong.map(([, message]) => ({ code: 2, stdout: '', stderr: expect.stringContaining(message) })),
    );
  });

  it('end with 2 without a configuration of limits, and with 3 without Redis', async () => {
    const memory = `import { memoryStore, createLimiter } from ${JSON.stringify(join(root, 'packages/core/dist/esm/index.js'))};
export const store = memoryStore();
export const limiter = createLimiter({ store, name: 'a', key: () => 'a', limit: 1, window: '1s' });`;
    const wrapped = `import { clientOf } from ${JSON.stringify(join(root, 'packages/redis/dist/esm/index.js'))};
export const store = redisStore(clientOf({ send: async () => [] }));`;
    const look = ['look', 'key', 'ada', '--timeout', '1s'];
    const away = configOf(LIMITS, { url: 'redis://:hunter2@127.0.0.1:1' });
    const [absent, empty, inMemory, foreign, unreachable] = await Promise.all([
      sluice(look, { env: { SLUICE_REDIS_URL: server.url } }),
      run('() => []', look),
      withConfig(memory, (file) => sluice([...look, '--config', file])),
      withConfig(wrapped, (file) => sluice([...look, '--config', file])),
      withConfig(away, (file) => sluice([...look, '--config', file])),
    ]);

    expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('this command needs your limiters') });
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('creates no limiter on its store') });
    expect(inMemory).toMatchObject({ code: 2, stderr: expect.stringContaining('a store in memory') });
    expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining('must have a client of ioredis') });
    expect(unreachable).toMatchObject({ code: 3, stdout: '' });
    expect(unreachable.stderr).not.toContain('hunter2');
  });
});

describe('sluice explain and forget on a Cluster', () => {
  it('find the keys of a client', async () => {
    const cluster = await startCluster({ primaries: 2 });
    const where = { cluster: cluster.startupNodes };
    const own = redisStore(where, { deadline: '5s' });
    const { ip } = defineLimits(core, own);
    await own.ready();
    for (let request = 0; request < 6; request += 1) await ip.consume(clientOf('203.0.113.7'));
    const on = (...args: string[]) =>
      withConfig(configOf(LIMITS, where), (file) => sluice([...args, '--config', file]));
    const explained = await on('explain', 'ip', '203.0.113.7', '--json');
    const forgotten = await on('forget', 'ip', '203.0.113.7', '--yes');
    const [looked] = await ip.of(core.byIp()({ ip: '203.0.113.7' }) as core.Key).inspect();
    await own.close();
    await cluster.stop();

    expect(explained.code).toBe(1);
    expect(documentOf(explained)).toMatchObject({ deniedBy: ['ip-minute'] });
    expect(forgotten.code).toBe(0);
    expect(looked!.outcome.remaining).toBe(5_000);
  });
});
