import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createLimiter, memoryStore, type Decision } from '../../packages/core/src/index.js';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';
import { combinedLine, exactLine, EXACT_FORMAT, logOf, requests, spread, START, type Logged } from './access-log.js';
import { environment } from '../support/environment.js';
import { documentOf, sluice, sluiceAlone } from './sluice.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-replay-'));
const file = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const exact = file('exact.log', logOf(exactLine));
const combined = file('combined.log', logOf(combinedLine));

afterAll(() => rmSync(folder, { recursive: true }));

const replay = (log: string, ...args: string[]) => sluice(['replay', log, '--format', EXACT_FORMAT, ...args]);

/** How many requests a limiter denies at these times. */
function deniedAt(limit: number): number {
  let now = START;
  const store = memoryStore({ clock: () => now });
  const limiter = createLimiter<Logged>({ store, name: 'live', limit, window: '1m', key: ({ ip }) => ip });
  return requests.filter((request) => {
    now = START + request.at * 1e3;
    return !(limiter.consume(request) as Decision).allowed;
  }).length;
}

describe('sluice replay', () => {
  it('says what a log cannot tell', async () => {
    const { code, stderr } = await sluiceAlone(['replay', combined, '--limits', '20/1m']);

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'A log cannot tell what a denied client does next: it may retry, wait, or give up.\n' +
        'The times are whole seconds, and of nginx those of the responses: log $msec and $request_time for exact answers.\n',
    });
  });

  it('denies exactly what a limiter denies at the same times', async () => {
    const run = documentOf(await replay(exact, '--limits', '20/1m', '--json'));

    expect(run).toMatchObject({ requests: requests.length, wholeSeconds: false, candidate: { denied: deniedAt(20) } });
  });

  it('counts by the months of the calendar at the times of the log, from a text and from a file of policies', async () => {
    const ends = (Date.UTC(2026, 11, 1) - START) / 1e3;
    const times = [-2, -1.5, -1, 0, 1, 2, 3].map((at) => ({ at: ends + at, ip: '203.0.113.7' }));
    const log = file('month.log', logOf(exactLine, times));
    const policies = file(
      'limits.yaml',
      'version: 1\nlimiters:\n  api:\n    tiers:\n      - { name: month, key: ip, algorithm: fixed-window, limit: 2, period: month }\n',
    );

    const runs = await Promise.all(['2/month', policies].map((limits) => replay(log, '--limits', limits, '--json')));

    // One in November, and two in December.
    expect(runs.map((run) => documentOf(run))).toMatchObject([
      { candidate: { denied: 3, tiers: [{ name: '2/month' }] } },
      { candidate: { denied: 3, tiers: [{ name: 'month' }] } },
    ]);
  });

  it('reads gzip, several files that overlap, and stdin alike', async () => {
    const of = (...args: string[]) => ['--format', EXACT_FORMAT, '--limits', '20/1m', '--json', ...args];
    const halves = [0, 1].map((rest) => requests.filter((_, index) => index % 2 === rest));
    const [even, odd] = halves.map((half, index) => file(`half-${index}.log`, logOf(exactLine, half))) as [
      string,
      string,
    ];
    const members = Buffer.concat(
      halves.map((_, half) => {
        const middle = Math.floor(requests.length / 2);
        return gzipSync(logOf(exactLine, half === 0 ? requests.slice(0, middle) : requests.slice(middle)));
      }),
    );
    const zipped = file('exact.log.1.gz', members);
    const runs = await Promise.all([
      replay(exact, '--limits', '20/1m', '--json'),
      sluice(['replay', zipped, ...of()]),
      sluice(['replay', odd, even, ...of()]),
      sluice(['replay', '-', ...of()], { input: readFileSync(exact) }),
      sluice(['replay', '-', ...of()], { input: members }),
    ]);
    const [first, ...others] = runs.map(documentOf);

    expect(first).toMatchObject({ requests: requests.length });
    for (const other of others) expect(other).toEqual(first);
  });

  it('puts lines in order, however late they were written', async () => {
    const times = [0, 200, 141, 300, 1].map((at) => ({ at, ip: '203.0.113.7' }));
    const filler = spread(5_000, 10, '198.51.100.1').map((each) => ({ ...each, at: each.at + 300 }));
    const [late, sorted] = [
      [...filler, ...times],
      [...filler, ...times].toSorted((one, other) => one.at - other.at),
    ].map((all, index) => file(`late-${index}.log`, logOf(exactLine, all))) as [string, string];
    const runs = await Promise.all([late, sorted].map((log) => replay(log, '--limits', '3/3m', '--json')));

    expect(documentOf(runs[0]!)).toEqual(documentOf(runs[1]!));
    expect(documentOf(runs[0]!)).toMatchObject({ requests: 5_005, from: START, candidate: { denied: 4_997 } });
  });

  it('gives functions of tiers the texts of each request, in the order of time', async () => {
    const [first, ...others] = requests.map((request, index) => ({ ...request, key: `k${index % 7}` }));
    const log = file('texts.log', logOf(exactLine, [...others, first!]));
    const module = file(
      'texts.mjs',
      "export const tiers = [{ key: ({ key }) => key, limit: ({ url }) => (url === '/' ? 3 : 0), window: '1h' }];",
    );
    const run = documentOf(await replay(log, '--limits', module, '--key', 'http_x_api_key', '--json'));

    expect(run).toMatchObject({ clients: 7, candidate: { denied: requests.length - 7 * 3 } });
  });

  it('counts the addresses of an IPv6 network as one client, as limiters do', async () => {
    const addresses = ['2001:db8::1', '2001:DB8:0:0::2', '2001:db8:0:1::1', '::ffff:203.0.113.7', '203.0.113.7'];
    const log = file(
      'ipv6.log',
      logOf(
        exactLine,
        addresses.map((ip, at) => ({ at, ip })),
      ),
    );
    const run = documentOf(await replay(log, '--limits', '1/1h', '--json'));

    expect(run).toMatchObject({ requests: 5, clients: 3, candidate: { denied: 2 } });
  });

  it('ends with 130 upon SIGINT', async () => {
    const main = join(root, 'packages/cli/dist/esm/main.js');
    const child = spawn(process.execPath, [main, 'replay', '-', '--format', EXACT_FORMAT, '--limits', '20/1m'], {
      env: environment(),
    });
    child.stdin.on('error', () => undefined);
    // More than pipes hold: the command is reading when all of it is taken.
    await new Promise((resolve) => child.stdin.write(logOf(exactLine).repeat(200), resolve));
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];

    expect(code).toBe(130);
  });

  it('answers twice where times are whole seconds', async () => {
    const burst = file('burst.log', logOf(combinedLine, spread(20, 2, '203.0.113.7')));
    const run = documentOf(await sluice(['replay', burst, '--limits', '5/1s token-bucket', '--json']));

    expect(run).toMatchObject({ wholeSeconds: true, candidate: { denied: 10, spreadDenied: 6 } });
  });

  it.each([
    ['0.1%', 1],
    ['90%', 0],
  ])('exits by --max-denied %s with %i', async (share, expected) => {
    const { code } = await replay(exact, '--limits', '20/1m', '--max-denied', share);

    expect(code).toBe(expected);
  });

  it('counts by a field, costs by another, and says what has neither', async () => {
    const lines = [
      { time: START, ip: '203.0.113.7', user: { id: 'ada' }, tokens: 60 },
      { time: START + 1, ip: '203.0.113.8', user: { id: 'ada' }, tokens: 60 },
      { time: START + 2, ip: '203.0.113.8', user: { id: 'bob' }, tokens: '40' },
      { time: START + 3, ip: '203.0.113.8', user: { id: 'bob' }, tokens: -1 },
      { time: START + 4, ip: '203.0.113.8' },
    ];
    const log = file('app.json', lines.map((line) => JSON.stringify(line)).join('\n'));
    const run = documentOf(
      await sluice([
        'replay',
        log,
        '--limits',
        '100/1m',
        '--key',
        'json:$.user.id',
        '--cost',
        'json:$.tokens',
        '--json',
      ]),
    );

    expect(run).toMatchObject({
      requests: 4,
      clients: 2,
      reading: { unidentified: 1 },
      withoutCost: 1,
      candidate: { denied: 1 },
      top: [{ client: 'ada', denied: 1, busiest: 120 }],
    });
  });

  it('takes tiers of a module, with functions of the request', async () => {
    const module = file(
      'limits.mjs',
      `export const tiers = [
      { name: 'burst', limit: 5, window: '10s', algorithm: 'token-bucket' },
      { name: 'minute', window: '1m', limit: ({ ip }) => (ip === '203.0.113.7' ? null : 20) },
      { name: 'new', limit: 1, window: '1h', mode: 'shadow' },
    ];`,
    );
    const run = documentOf(await replay(exact, '--limits', module, '--json'));
    const { tiers } = run['candidate'] as { tiers: { name: string; denied: number; limit?: number }[] };

    expect(tiers.map(({ name }) => name).toSorted()).toEqual(['burst', 'minute', 'new']);
    expect(tiers.find(({ name }) => name === 'minute')!.limit).toBeUndefined();
    for (const { denied } of tiers) expect(denied).toBeGreaterThan(0);
  });

  it('counts requests that were refused when they were logged', async () => {
    const refused = requests.map((request, index) => ({ ...request, status: index % 10 === 0 ? 429 : 200 }));
    const log = file('refused.log', logOf(exactLine, refused));
    const { stderr } = await replay(log, '--limits', '1000/1m');
    const count = refused.filter(({ status }) => status === 429).length;

    expect(stderr).toContain(
      `${count} requests were already answered with 429 when they were logged; these limits admit ${count} of them.`,
    );
  });

  it('names no client with --anonymize', async () => {
    const html = join(folder, 'anonymous.html');
    const { stdout } = await replay(exact, '--limits', '20/1m', '--anonymize', '--html', html);

    expect(stdout).toContain('client 1');
    expect(stdout + readFileSync(html, 'utf8')).not.toMatch(/203\.0\.113|198\.51\.100/);
  });

  it('writes a page without scripts and requests, in which no client can write markup', async () => {
    const html = join(folder, 'report.html');
    const log = file(
      'markup.log',
      logOf(
        exactLine,
        requests.map((request) => ({ ...request, key: '<img/src=x>' })),
      ),
    );
    await replay(log, '--limits', '20/1m', '--against', '45/1m', '--key', 'http_x_api_key', '--html', html);
    const page = readFileSync(html, 'utf8');

    expect(page).toContain("default-src 'none'");
    expect(page).toContain('&#60;img/src=x&#62;');
    expect(page).not.toMatch(/<script|<img|<link|https?:(?!\/\/www\.w3\.org\/2000\/svg)|NaN|undefined|Infinity/);
  });

  it('prints no byte of a client that commands a terminal', async () => {
    const log = file(
      'escape.log',
      logOf(
        exactLine,
        spread(9, 1, '203.0.113.7').map((each) => ({ ...each, key: '\u001b[31mred\u202e' })),
      ),
    );
    const { stdout } = await replay(log, '--limits', '1/1m', '--key', 'http_x_api_key');

    expect(stdout).toContain('red');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    [['--limits', '20/1m', '--format', 'combined'], '100.0 % of', 'exact.log:1: 1795161600'],
    [['--limits', '20/1m', '--format', 'combinde'], 'this is no known format', 'log_format'],
    [['--limits', '0/1m'], 'limit must be at least 1', ''],
    [['--limits', '20/1x'], 'window must be a duration', ''],
    [['--limits', '20/1m brust=3'], 'brust is not an option here', ''],
    [['--limits', 'none.mjs'], 'there is no such file; write limits as 300/1m', ''],
    [['--limits', '20/1m', '--key', 'header'], '--key header: this log has no such field', ''],
    [['--limits', '20/1m', '--max-denied', 'few'], 'Write a share such as 0.5%, or 1% for a hundredth.', ''],
    [['--limits', '20/1m', '--propose', '1'], 'Write a share such as 0.5%, or 1% for a hundredth.', ''],
    [['--limits', '20/1m', '--proxies', 'nginx'], '--proxies nginx: must be an address or a network', ''],
    [['--limits', '20/1m', '--proxies', 'loopback'], 'this log has no X-Forwarded-For', 'log $http_x_forwarded_for'],
  ])('says what is wrong with %j, and exits with 2', async (args, message, more) => {
    const format = args.includes('--format') ? [] : ['--format', EXACT_FORMAT];
    const { code, stdout, stderr } = await sluice(['replay', exact, ...format, ...args]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(more);
  });

  it('asks for the format of a log that it does not know, and for a log that is there', async () => {
    const [unknown, missing, empty] = await Promise.all([
      sluice(['replay', exact, '--limits', '20/1m']),
      sluice(['replay', join(folder, 'none.log'), '--limits', '20/1m']),
      sluice(['replay', file('empty.log', ''), '--limits', '20/1m']),
    ]);

    expect([unknown, missing, empty].map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(unknown.stderr).toContain('exact.log: no known format: pass --format, such as the log_format of nginx');
    expect(missing.stderr).toContain('none.log: ENOENT');
    expect(empty.stderr).toContain('the log has no requests');
  });

  it.each<[string, string | Buffer, string]>([
    [
      'one JSON document',
      '[\n  {"ip": "203.0.113.7"}\n]\n',
      "one JSON document: write an object a line, as jq -c '.[]' does",
    ],
    ['UTF-16', Buffer.from('\uFEFF203.0.113.7 - -', 'utf16le'), 'UTF-16: convert it, as iconv -f utf-16 -t utf-8 does'],
    ['zstd', Buffer.from('28b52ffd0458010000', 'hex'), 'compressed, but not by gzip: unpack it, and pass - for stdin'],
    [
      'bzip2',
      Buffer.from('425a6839314159265359', 'hex'),
      'compressed, but not by gzip: unpack it, and pass - for stdin',
    ],
    [
      "of morgan('dev')",
      'GET /a 200 3.141 ms - 12\n\u001b[0mGET /b \u001b[32m200\u001b[0m 3.141 ms - 12\u001b[0m\n',
      "lines of morgan('dev') have neither an address nor a time: log with morgan('combined')",
    ],
    [
      "of morgan('tiny')",
      'server is listening\nGET / 200 12 - 3.141 ms\n',
      "lines of morgan('tiny') have neither an address nor a time: log with morgan('combined')",
    ],
    [
      "of morgan('short')",
      '::1 - GET / HTTP/1.1 200 12 - 3.141 ms\n',
      "lines of morgan('short') have no time: log with morgan('combined')",
    ],
    [
      'of express-winston without an address',
      '{"meta":{"req":{"url":"/","method":"GET"},"res":{"statusCode":200},"responseTime":3},"timestamp":"2026-11-20T08:00:00Z"}\n',
      "lines of express-winston have no address or no time: pass requestWhitelist: [...expressWinston.requestWhitelist, 'ip']",
    ],
    [
      'of W3C without the address of clients',
      '#Version: 1.0\n#Fields: date time cs-method cs-uri-stem sc-status\n2026-11-20 08:00:00 GET / 200\n',
      'the #Fields of this log have no c-ip: log it, too',
    ],
    ['no log', 'hello\n', 'no known format: pass --format, such as the log_format of nginx'],
  ])('says what to do with a file that is %s', async (_what, content, message) => {
    const { code, stderr } = await sluice(['replay', file('other.log', content)]);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('counts one line that it cannot read as one', async () => {
    const { stderr } = await sluice(['replay', file('damaged.log', `${logOf(combinedLine)}?\n`)]);

    expect(stderr).toMatch(
      /^1 line \(\d\.\d+ %\) cannot be read as requests and was left out: \S+damaged\.log:372: \?$/m,
    );
  });

  it('names files of a folder that it gets', async () => {
    const { code, stderr } = await sluice(['replay', folder]);

    expect(code).toBe(2);
    expect(stderr).toContain(`${folder} is a folder: name files, such as ${folder}/access.log`);
  });

  it('says that a log names other clients behind its addresses', async () => {
    const behind = (address: (index: number) => string) => (request: Logged, index: number) =>
      combinedLine({ ...request, ip: address(index) }).concat(` "${request.ip}"`);
    const [public_, own] = [behind((index) => `198.51.100.${index % 9}`), behind((index) => requests[index]!.ip)].map(
      (line, index) => file(`behind-${index}.log`, `${requests.map(line).join('\n')}\n`),
    );
    const [cdn, direct, named] = await Promise.all([
      sluice(['replay', public_!, '--limits', '20/1m']),
      sluice(['replay', own!, '--limits', '20/1m']),
      sluice(['replay', public_!, '--limits', '20/1m', '--proxies', '198.51.100.0/24']),
    ]);

    const note = 'X-Forwarded-For names other clients: pass the addresses of your proxies as --proxies.';
    expect(cdn.stderr).toContain(note);
    expect([direct, named].map(({ stderr }) => stderr.includes(note))).toEqual([false, false]);
  });

  it('finds clients behind a balancer in a log of nginx.org, and says where it does not', async () => {
    const forwarded = (request: Logged, index: number) =>
      combinedLine({ ...request, ip: '10.0.0.7' }).concat(` "198.51.100.${index % 3}, ${request.ip}"`);
    const log = file('main.log', `${requests.map(forwarded).join('\n')}\n`);
    const [blind, named, direct] = await Promise.all([
      sluice(['replay', log, '--limits', '20/1m']),
      sluice(['replay', log, '--limits', '20/1m', '--proxies', '10.0.0.0/8', '--json']),
      sluice(['replay', combined, '--limits', '20/1m', '--json']),
    ]);
    const [behind, open] = [named, direct].map(documentOf) as [Record<string, unknown>, Record<string, unknown>];

    expect(blind.stdout).toMatch(/^371 requests of 1 address, .+, main\n/);
    expect(blind.stderr).toContain('10.0.0.7 sends 100.0 % of the requests. A private address is usually a proxy');
    expect(blind.stderr).toContain('pass --proxies 10.0.0.7');
    // As a log without a balancer, but for the names of the formats.
    expect({ ...behind, formats: [] }).toEqual({ ...open, formats: [] });
    expect(named.stderr).not.toContain('sends');
  });

  it.each([
    ['pino without an address', { time: START, req: { method: 'GET' } }, [], 'no client, looked for in req.ip,'],
    ['no time', { ip: '203.0.113.7' }, [], 'no time, looked for in time, @timestamp,'],
    ['neither', { message: 'hello' }, ['--format', 'json'], 'no time, looked for'],
    ['no field of --key', { time: START }, ['--key', 'json:$.user.id'], 'no client, looked for in user.id,'],
  ])('says what lines of JSON lack: %s', async (_what, line, args, message) => {
    const log = file('lack.json', `${JSON.stringify(line)}\n`.repeat(3));
    const { code, stderr } = await sluice(['replay', log, '--limits', '20/1m', ...args]);

    expect(code).toBe(2);
    expect(stderr).toContain('no request can be read: the lines have ');
    expect(stderr).toContain(message);
  });

  it('needs no address where --key names the client', async () => {
    const line = (at: number) => JSON.stringify({ '@timestamp': new Date(START + at).toISOString(), account: 'ada' });
    const log = file('account.json', [1, 2, 3].map(line).join('\n'));
    const run = documentOf(await sluice(['replay', log, '--limits', '1/1m', '--key', 'json:$.account', '--json']));

    expect(run).toMatchObject({ requests: 3, clients: 1, candidate: { denied: 2 } });
  });

  it('says why a function of a tier fails, and that it must not be async', async () => {
    const failing = file('failing.mjs', `export const tiers = [{ limit: () => nothing.here, window: '1m' }];`);
    const slow = file('slow.mjs', `export const tiers = [{ limit: async () => 5, window: '1m' }];`);
    const [one, other] = await Promise.all([replay(exact, '--limits', failing), replay(exact, '--limits', slow)]);

    expect([one.code, other.code]).toEqual([2, 2]);
    expect(one.stderr).toContain('nothing is not defined');
    expect(other.stderr).toContain('functions of tiers must not be async here');
  });
});
