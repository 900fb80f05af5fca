import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { startRedis, type RedisServer } from '../support/redis.js';

const run = promisify(execFile);

interface Quickstart {
  readonly child: ChildProcess;
  /** What it printed when it was ready: that it listens, and what to try. */
  readonly greeting: string;
  readonly url: string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

describe('The quickstart', () => {
  const running: Quickstart[] = [];
  let redis: RedisServer;

  const start = async (environment: Record<string, string> = {}) => {
    const quickstart = await startQuickstart(environment);
    running.push(quickstart);
    return quickstart;
  };

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterEach(async () => {
    for (const quickstart of running.splice(0)) await quickstart.stop();
  });

  afterAll(() => redis.stop());

  it.each([
    ['memory', () => ({})],
    ['redis', () => ({ REDIS_URL: redis.url })],
  ])('answers with decisions, and denies what is too much, in %s', async (source, environment) => {
    const { url } = await start(environment());

    const answers = await statuses(url, 7);
    const denied = await fetch(url);

    expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(denied.headers.get('retry-after')).toMatch(/^[12]$/);
    expect(await denied.json()).toMatchObject({ allowed: false, reason: 'denied', deniedBy: ['burst'], source });
  });

  it('shares its limit with another process on the same Redis', async () => {
    const environment = { REDIS_URL: `${redis.url}/1` };
    const [one, other] = [await start(environment), await start(environment)];

    const answers = [...(await statuses(one.url, 3)), ...(await statuses(other.url, 4))];

    expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  it('prints commands that do what it says', async () => {
    const { greeting } = await start();
    const [one = '', seven = ''] = greeting.match(/^ {2}.+$/gm) ?? [];
    if (!(await has('curl'))) return;

    const decision = await run('sh', ['-c', one]);
    const codes = await run('sh', ['-c', seven]);

    expect(decision.stdout).toContain('"allowed": true');
    expect(codes.stdout.trim()).toMatch(/^200 200 200 200 (200 )?429/);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops at %s', async (signal) => {
    const quickstart = await start({ REDIS_URL: redis.url });
    await statuses(quickstart.url, 1);

    expect(await quickstart.stop(signal)).toBe(0);
  });

  it('says in a sentence that its port is taken', async () => {
    const { url } = await start();
    const { port } = new URL(url);

    expect(await complaint({ PORT: port })).toBe(
      `Port ${port} is taken: set PORT to a free one, as in PORT=3001 npm start.\n`,
    );
  });

  it.each([
    [{ PORT: 'high' }, /^PORT must be a number from 0 to 65535, got high\.\n$/],
    [{ REDIS_URL: 'localhost' }, /^REDIS_URL cannot be used: .*must begin with redis:.*\n$/],
    [{ REDIS_URL: 'redis://127.0.0.1:1' }, /^No Redis answers at REDIS_URL \(.*\)\.\n$/],
  ])('says in a sentence that %j cannot work', async (environment, sentence) => {
    expect(await complaint(environment)).toMatch(sentence);
  });
});

function launch(environment: Record<string, string>): ChildProcess {
  const { REDIS_URL: _none, ...inherited } = process.env;
  return spawn(process.execPath, [join(root, 'examples', 'quickstart', 'main.js')], {
    env: { ...inherited, PORT: '0', ...environment },
  });
}

async function startQuickstart(environment: Record<string, string>): Promise<Quickstart> {
  const child = launch(environment);
  const closed = once(child, 'close') as Promise<[number | null]>;
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  while (!printed.includes('done; echo\n') && child.exitCode === null) {
    await Promise.race([once(child.stdout!, 'data'), closed]);
  }
  const [url] = /http:\/\/localhost:\d+/.exec(printed) ?? [];
  if (url === undefined) throw new Error(`The quickstart did not start: ${printed}`);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    const [code] = await closed;
    return code;
  };
  return { child, greeting: printed, url, stop };
}

/** What a quickstart that cannot start says, having ended with an error. */
async function complaint(environment: Record<string, string>): Promise<string> {
  const child = launch(environment);
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(1);
  return said;
}

async function statuses(url: string, count: number): Promise<number[]> {
  const codes: number[] = [];
  for (let request = 0; request < count; request += 1) {
    const response = await fetch(url, { headers: { connection: 'close' } });
    await response.arrayBuffer();
    codes.push(response.status);
  }
  return codes;
}

async function has(program: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}
