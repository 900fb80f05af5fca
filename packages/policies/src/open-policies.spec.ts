import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byIp, memoryStore, refund, settle, subscribe, type Limiter } from '@sluice/http';
import { openPolicies, type Policies, type PoliciesOptions } from './index.js';

interface Subject {
  readonly tenant: string;
}

/** A file with one tier. */
const text = (limit: number | string, more = '', window = '1h') =>
  `version: 1\nlimiters:\n  api:\n    tiers:\n      - { name: hour, key: tenant, limit: ${limit}, window: ${window}${more} }\n`;

describe('openPolicies', () => {
  let folder: string;
  let file: string;
  let policies: Policies<Subject> | undefined;
  const keys = { tenant: ({ tenant }: Subject) => tenant };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-policies-'));
    file = join(folder, 'limits.yaml');
  });

  afterEach(() => {
    policies?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(content: string, options?: PoliciesOptions<Subject>): Promise<Policies<Subject>> {
    writeFileSync(file, content);
    return (policies = await openPolicies(file, { keys, ...options }));
  }

  /** What a tenant has left. */
  async function left(limiter: Limiter<Subject>, tenant = 'acme'): Promise<number> {
    const { outcomes } = await limiter.peek({ tenant });
    return outcomes[0]!.remaining;
  }

  it('keeps the counts of a tier whose limit moves', async () => {
    const opened = await open(text(10));
    const limiter = opened.limiter('api');
    for (let request = 0; request < 4; request += 1) await limiter.consume({ tenant: 'acme' });

    writeFileSync(file, text(6));
    await opened.refresh();

    expect(await left(limiter)).toBe(2);
    expect(opened.status()).toMatchObject({ source: 'file', rejected: 0, problem: undefined });
  });

  it('keeps what a bucket of one size has spent at any limit', async () => {
    const bucket = ', algorithm: token-bucket, burst: 10';
    const opened = await open(text(1000, bucket));
    const limiter = opened.limiter('api');
    for (let request = 0; request < 10; request += 1) await limiter.consume({ tenant: 'acme' });

    for (const limit of [10, 1000, 10]) {
      writeFileSync(file, text(limit, bucket));
      await opened.refresh();
    }

    expect(await left(limiter)).toBeLessThanOrEqual(1);
    expect(opened.status()).toMatchObject({ rejected: 0 });
  });

  it('refunds and settles decisions from before a change exactly', async () => {
    const opened = await open(text(10));
    const limiter = opened.limiter('api');
    const [one, other] = [await limiter.consume({ tenant: 'acme' }), await limiter.consume({ tenant: 'acme' })];

    writeFileSync(file, text(20));
    await opened.refresh();

    expect([await refund(one), await settle(other, 5)]).toEqual([1, 4]);
    expect(await left(limiter)).toBe(15);
  });

  const change: Record<string, (content: string) => void> = {
    'in place': (content) => writeFileSync(file, content),
    'by a rename': (content) => {
      writeFileSync(`${file}.new`, content);
      renameSync(`${file}.new`, file);
    },
    'behind a link of a link, as Kubernetes does': (content) => {
      const data = join(folder, 'data');
      mkdirSync(join(folder, 'v2'));
      writeFileSync(join(folder, 'v2', 'limits.yaml'), content);
      symlinkSync('v2', `${data}.new`);
      renameSync(`${data}.new`, data);
    },
  };

  it.each(Object.entries(change))('follows a file that changes %s', async (how, write) => {
    if (how.startsWith('behind')) {
      mkdirSync(join(folder, 'v1'));
      writeFileSync(join(folder, 'v1', 'limits.yaml'), text(10));
      symlinkSync('v1', join(folder, 'data'));
      symlinkSync('data/limits.yaml', file);
      policies = await openPolicies(file, { keys });
    } else await open(text(10));
    const limiter = policies!.limiter('api');

    write(text(3));
    await policies!.refresh();

    expect(await left(limiter)).toBe(3);
  });

  it('keeps what is in force while the text is refused, and reports it once', async () => {
    const events: unknown[] = [];
    const end = subscribe('sluice:policies', (event) => void events.push(event));
    const opened = await open(text(10));
    const limiter = opened.limiter('api');

    writeFileSync(file, text('5', ', windw: 1s'));
    for (let look = 0; look < 3; look += 1) await expect(opened.refresh()).rejects.toThrow(`${file}:5:58 tier "hour"`);
    const refused = opened.status();
    writeFileSync(file, text(7));
    await opened.refresh();
    end();

    expect(refused).toMatchObject({ rejected: 1, problem: expect.stringContaining('windw is not an option') });
    expect(opened.status()).toMatchObject({ rejected: 1, problem: undefined });
    expect(await left(limiter)).toBe(7);
    expect(events).toEqual([
      { state: 'applied', source: 'file', sha: expect.stringMatching(/^[\da-f]{64}$/) },
      { state: 'rejected', source: 'file', problem: refused.problem },
      { state: 'applied', source: 'file', sha: opened.status().sha },
    ]);
  });

  it.each<[string, () => unknown]>([
    ['a pipe to which nobody writes', () => execFileSync('mkfifo', [file])],
    ['a link to a device without an end', () => symlinkSync('/dev/zero', file)],
  ])('refuses %s', async (_what, make) => {
    make();

    await expect(openPolicies(file)).rejects.toThrow(`${file} must be a file, and is a device or a pipe`);
  });

  it('keeps what is in force while the file is deleted, a folder, or too large', async () => {
    const opened = await open(text(10));
    const limiter = opened.limiter('api');
    const problems: (string | undefined)[] = [];
    const look = async () => {
      await opened.refresh().catch(() => undefined);
      problems.push(opened.status().problem);
    };

    unlinkSync(file);
    await look();
    await look();
    mkdirSync(file);
    await look();
    rmSync(file, { recursive: true });
    writeFileSync(file, 'x'.repeat(600_000));
    await look();
    // The text that is in force already.
    writeFileSync(file, text(10));
    await look();

    expect(problems).toEqual([
      expect.stringContaining('cannot be read: ENOENT'),
      expect.stringContaining('cannot be read: ENOENT'),
      expect.stringContaining('must be a file, and is a folder'),
      expect.stringContaining('has 586 KB, and must have at most 512'),
      undefined,
    ]);
    expect(opened.status().rejected).toBe(3);
    expect(await left(limiter)).toBe(10);
  });

  it('waits until a writer has written the file whole', async () => {
    const opened = await open(text(10));
    const limiter = opened.limiter('api');
    const whole = `${text(3)}      - { name: day, key: tenant, limit: 4, window: 1d }\n`;

    // Its first half is a file of its own.
    writeFileSync(file, text(3));
    const refreshed = opened.refresh();
    setTimeout(() => writeFileSync(file, whole), 30);
    await refreshed;

    expect((await limiter.peek({ tenant: 'acme' })).outcomes).toHaveLength(2);
  });

  it('changes all limiters in one turn, or none', async () => {
    const both = (limit: number, other: string) =>
      `${text(limit)}  web:\n    tiers:\n      - { name: web-hour, key: tenant, limit: ${limit}, window: 1h${other} }\n`;
    const opened = await open(both(10, ''));
    const store = memoryStore();
    const [api, web] = [opened.limiter('api', { store }), opened.limiter('web', { store })];
    const limits = async () => [await left(api), await left(web)];

    // A limiter that began without concurrency does not take it.
    const changed = 'name: web-hour, key: tenant, limit: 5';
    writeFileSync(file, both(5, '').replace(`${changed}, window: 1h`, `${changed}, algorithm: concurrency`));
    await expect(opened.refresh()).rejects.toThrow(
      /limits\.yaml:8:\d+ tier "web-hour": algorithm must not be "concurrency"/,
    );
    expect(await limits()).toEqual([10, 10]);

    writeFileSync(file, both(5, ''));
    await opened.refresh();
    expect(await limits()).toEqual([5, 5]);
  });

  it('refuses a file without a limiter that the process uses', async () => {
    const opened = await open(text(10));
    opened.limiter('api');

    writeFileSync(file, text(10).replace('api', 'web'));

    await expect(opened.refresh()).rejects.toThrow('limiters must have "api", which this process uses');
  });

  it('fails to start with a file that is refused or missing', async () => {
    await expect(open(text(-1))).rejects.toThrow(`${file}:5:43 tier "hour"`);
    await expect(openPolicies(join(folder, 'none.yaml'))).rejects.toThrow('none.yaml cannot be read: ENOENT');
  });

  it('refuses a file in another coding than UTF-8', async () => {
    writeFileSync(file, Buffer.from(`${text(10)}# für alle\n`, 'latin1'));

    await expect(openPolicies(file, { keys })).rejects.toThrow(`${file} must be text in UTF-8`);
  });

  it('puts a text in force also where an extension throws that puts its part in force', async () => {
    let isFirst = true;
    const put = () => {
      if (!isFirst) throw new Error('no room');
      isFirst = false;
    };
    const opened = await open(text(10), { features: [{ extension: 'other', read: () => put }] });
    const limiter = opened.limiter('api');
    const { sha } = opened.status();

    writeFileSync(file, text(5));
    await expect(opened.refresh()).rejects.toThrow('no room');

    expect(await left(limiter)).toBe(5);
    expect(opened.status().sha).not.toBe(sha);
    expect(opened.status().problem).toBe('no room');
  });

  it('starts with the fallback, and takes the file once it is right', async () => {
    const fallback = join(folder, 'fallback.yaml');
    writeFileSync(fallback, text(1));
    const opened = await open('version: 2', { fallback });
    const limiter = opened.limiter('api');
    const before = { ...opened.status(), left: await left(limiter) };

    writeFileSync(file, text(9));
    await opened.refresh();

    expect(before).toMatchObject({
      source: 'fallback',
      rejected: 1,
      problem: expect.stringContaining('version'),
      left: 1,
    });
    expect(opened.status()).toMatchObject({ source: 'file', problem: undefined });
    expect(await left(limiter)).toBe(9);
  });

  it('creates the limiter of a name once, with the options of a limiter', async () => {
    const opened = await open(text(10));

    expect(() => opened.limiter('apii')).toThrow('name must be a limiter of');
    expect(() => opened.limiter('api', { stor: memoryStore() } as never)).toThrow('did you mean store?');
    opened.limiter('api', { onStoreFailure: 'deny' });
    expect(() => opened.limiter('api')).toThrow('name must be created once');
  });

  it.each<[object, string]>([
    [{ key: {} }, 'openPolicies: key is not an option here: did you mean keys?'],
    [{ keys: { tenant: 5 } }, 'openPolicies: keys.tenant must be a function, got 5'],
    [
      { keys: { tenant: byIp } },
      'openPolicies: keys.tenant must be what byIp returns: write byIp(), got the function byIp',
    ],
    [{ plans: 'free' }, 'openPolicies: plans must be a function'],
    [{ fallback: 5 }, 'openPolicies: fallback must be the path of a file, got 5'],
  ])('refuses the options %j', async (options, message) => {
    await expect(open(text(1), options as never)).rejects.toThrow(message);
  });
});
