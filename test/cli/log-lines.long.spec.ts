import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { combinedLine, requests, START, type Logged } from './access-log.js';
import { documentOf, sluice, sluiceAlone } from './sluice.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-lines-'));

afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

/** Replays a file of some lines. */
async function replay(lines: readonly string[], ...args: string[]) {
  files += 1;
  const path = join(folder, `${files}.log`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return sluice(['replay', path, '--limits', '1000/1m', ...args]);
}

async function report(lines: readonly string[], ...args: string[]) {
  return documentOf(await replay(lines, '--json', ...args));
}

/** Lines of combined, of clients by name. */
const combined = (...names: string[]) => names.map((ip, at) => combinedLine({ at, ip }));
const many = requests.map((request) => combinedLine(request));

describe('a client of a log', () => {
  it('is a host name, a masked address or another text by itself, and the report says so', async () => {
    const lines = combined(
      'crawl-1.example.com',
      'crawl-2.example.com',
      '203.0.113.xxx',
      '9f86d081884c',
      '203.0.113.7',
    );
    const { stdout, stderr } = await replay(lines);

    expect(stdout).toContain('5 requests of 5 addresses');
    expect(stderr).toContain(
      '2 clients, such as crawl-1.example.com, are named by host names: the limiter will see addresses.',
    );
    expect(stderr).toContain(
      '1 client, such as 203.0.113.xxx, is named by addresses that are partly hidden: several clients may be counted as one.',
    );
    expect(stderr).toContain('1 client, such as 9f86d081884c, is named by neither an address nor a host name');
    expect(stderr).not.toContain('unknown');
  });

  it('causes no warning of core where it is no address', async () => {
    const path = join(folder, 'hosts.log');
    writeFileSync(path, `${combined('unicomp6.unicomp.net', 'burger.letters.com').join('\n')}\n`);
    const { code, stderr } = await sluiceAlone(['replay', path]);

    expect({ code, warns: /SluiceWarning|byIp/.test(stderr) }).toEqual({ code: 0, warns: false });
  });

  it('is nobody for a Unix socket and for a hyphen, and the report counts such requests', async () => {
    const run = await report(combined('unix:', '-', '203.0.113.7'));
    const { stderr } = await replay(combined('unix:', '-', '203.0.113.7'));

    expect(run).toMatchObject({ requests: 1, clients: 1, reading: { unidentified: 2, unreadable: 0 } });
    expect(stderr).toContain('2 requests (66.7 %) have no address, as those of a Unix socket, and were left out.');
  });

  it('is the same with quotes around its address, and around the whole line', async () => {
    const [line] = combined('203.0.113.7') as [string];
    const quoted = [`"${line.replaceAll('"', '""')}"`, JSON.stringify(line), `"${line}"`];
    const all = [...quoted, line.replace('203.0.113.7', '"203.0.113.7"')];
    // Windows ends lines with two characters.
    const runs = await Promise.all([...all, ...all.map((each) => `${each}\r`)].map((each) => report([each])));

    for (const run of runs) expect(run).toMatchObject({ clients: 1, reading: { forms: [{ example: '203.0.113.7' }] } });
  });

  it('is the last of a list of addresses, or who stands behind the proxies of the list', async () => {
    const clients = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];
    const lines = combined(...clients.map((client) => `${client}, 130.176.1.9`));
    const [blind, named] = await Promise.all([report(lines), report(lines, '--proxies', '130.176.0.0/16')]);
    const { stderr } = await replay(lines);

    expect(blind).toMatchObject({ requests: 3, clients: 1, formats: ['combined'], namesOthers: true });
    expect(named).toMatchObject({ requests: 3, clients: 3, reading: { unreadable: 0 } });
    expect(stderr).toContain('pass the addresses of your proxies as --proxies');
  });

  it('is found behind proxies in what HAProxy has captured of the request', async () => {
    const clients = ['203.0.113.1', '192.0.2.9, 203.0.113.2', '2001:db8::1'];
    const lines = clients.map(
      (list) =>
        `10.0.0.9:33317 [20/Nov/2026:08:00:00.123] web api/api1 0/0/1/5/6 200 212 - - ---- 1/1/0/0/0 0/0 {example.com|${list}} {} "GET / HTTP/1.1"`,
    );
    const named = await report(lines, '--proxies', '10.0.0.0/8');
    const bare = await replay([lines[0]!.replace(/ \{.*\}/, '')], '--proxies', '10.0.0.0/8');

    expect(named).toMatchObject({ requests: 3, clients: 3 });
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('this log has no X-Forwarded-For')]);
  });

  it('is found in $proxy_add_x_forwarded_for and in $http_x_forwarded_for alone', async () => {
    const lines = ['203.0.113.7, 198.51.100.9', '198.51.100.4'].map(
      (list) => `${list} [20/Nov/2026:08:00:00 +0000] "GET / HTTP/1.1" 200`,
    );
    const runs = await Promise.all(
      ['proxy_add_x_forwarded_for', 'http_x_forwarded_for'].map((name) =>
        report(lines, '--format', `$${name} [$time_local] "$request" $status`, '--proxies', '198.51.100.9'),
      ),
    );

    for (const run of runs) expect(run).toMatchObject({ requests: 2, clients: 2 });
  });
});

describe('lines that are no requests', () => {
  const failures = (count: number) =>
    Array.from({ length: count }, (_, at) => `203.0.113.9:${at} fe/1: SSL handshake failure`);

  it('are counted and shown, and stop no replay, with or without --format', async () => {
    const lines = [...many, ...failures(60)];
    const [detected, given] = await Promise.all([replay(lines), replay(lines, '--format', 'combined')]);

    for (const { code, stdout, stderr } of [detected, given]) {
      expect({ code, head: stdout.split('\n')[0] }).toEqual({
        code: 0,
        head: expect.stringContaining('371 requests of 43 addresses') as string,
      });
      expect(stderr).toMatch(
        /^60 lines \(13\.9 %\) cannot be read as requests and were left out, the first at \S+:372: 203\.0\.113\.9:0 fe\/1: SSL handshake failure$/m,
      );
    }
  });

  it('may be the first hundreds of a log, as when an application starts', async () => {
    const start = Array.from(
      { length: 200 },
      (_, at) => `[Nest] 12  - LOG [RouterExplorer] Mapped {/route/${at}, GET} route`,
    );
    const run = await report([...start, ...many]);

    expect(run).toMatchObject({ requests: 371, formats: ['combined'], reading: { unreadable: 200 } });
  });

  it('may be megabytes, without and with a format, prefixes included', async () => {
    const start = Array.from(
      { length: 3_000 },
      (_, at) => `web-1  | [Nest] 12 - LOG [InstanceLoader] ${'x'.repeat(200)} ${at}`,
    );
    const lines = [...start, ...many.map((line) => `web-1  | ${line}`)];
    const runs = await Promise.all([report(lines), report(lines, '--format', 'combined')]);
    const { stderr } = await replay([...lines, 'last'], '--format', 'combined');

    for (const run of runs) expect(run).toMatchObject({ requests: 371, reading: { unreadable: 3_000 } });
    expect(stderr).toMatch(
      /3 001 lines \(89\.0 %\) cannot be read as requests and were left out, the first at \S+:1: \[Nest\] 12 - LOG/,
    );
  });

  it('refuse a log without --format where they are nine of ten lines, and say what to type', async () => {
    const lines = [...combined('203.0.113.7'), ...failures(30)];
    const [refused, told] = await Promise.all([replay(lines), replay(lines, '--format', 'combined')]);

    expect([refused.code, told.code]).toEqual([2, 0]);
    expect(refused.stderr).toContain('If these lines are no requests, pass --format combined');
  });

  it('are shown without the queries of their URLs, which may have secrets, and not at all with --anonymize', async () => {
    const lines = [...many, 'GET /reset?token=hunter2 failed'];
    const [shown, anonymous] = await Promise.all([replay(lines), replay(lines, '--anonymize')]);

    expect(shown.stderr).toContain('GET /reset?… failed');
    expect(anonymous.stderr).not.toContain('/reset');
  });

  const pino = (id: number, more: object) =>
    JSON.stringify({
      level: 30,
      time: START + id * 1e3,
      req: { id, method: 'GET', url: '/', remoteAddress: '203.0.113.7' },
      ...more,
    });
  const answer = { res: { statusCode: 200 }, responseTime: 3, msg: 'request completed' };
  const tens = Array.from({ length: 10 }, (_, id) => id);

  it.each([
    [
      'pino-http, which binds the request to each line',
      tens.flatMap((id) => [pino(id, { msg: 'a' }), pino(id, { msg: 'b' }), pino(id, answer)]),
      20,
    ],
    [
      'Fastify with the request in both lines',
      tens.flatMap((id) => [pino(id, { msg: 'incoming request' }), pino(id, answer)]),
      10,
    ],
    [
      'an application with the request in lines without an id',
      tens.flatMap((id) => [
        JSON.stringify({ time: START + id, req: { remoteAddress: '203.0.113.7' }, msg: 'incoming request' }),
        JSON.stringify({ time: START + id, ...answer }),
      ]),
      10,
    ],
  ])('are other events of %s', async (_what, lines, otherEvents) => {
    const { stderr } = await replay(lines);

    expect(await report(lines)).toMatchObject({ requests: 10, reading: { otherEvents, unreadable: 0 } });
    expect(stderr).toContain(`${otherEvents} lines are about other events than requests and were left out.`);
  });

  it('are none of Fastify, whose requests have their client in one line and their status in another', async () => {
    const arrival = (id: number) =>
      JSON.stringify({
        time: START + id * 10,
        reqId: `req-${id}`,
        req: { method: 'GET', url: '/', remoteAddress: '203.0.113.7' },
      });
    const completion = (id: number, statusCode: number) =>
      JSON.stringify({ time: START + id * 10 + 500, reqId: `req-${id}`, res: { statusCode }, responseTime: 500 });
    const event = (id: number) => JSON.stringify({ time: START + id, reqId: `req-${id}`, msg: 'a query' });
    const lines = [
      ...tens.map(arrival),
      ...tens.map(event),
      ...tens.slice(2).map((id) => completion(id, 429)),
      arrival(2),
    ];
    const run = await report(lines);

    // One has an id that came before, and three are not answered.
    expect(run).toMatchObject({
      requests: 11,
      clients: 1,
      refused: 8,
      from: START,
      to: START + 90,
      reading: { lines: 11, otherEvents: 10, unreadable: 0 },
    });
  });

  it('may be lines of JSON without a status only where other lines have one', async () => {
    const line = (at: number) => JSON.stringify({ time: START + at, ip: '203.0.113.7', tokens: 5 });

    expect(await report(tens.map(line))).toMatchObject({ requests: 10, reading: { otherEvents: 0 } });
  });
});

describe('a log behind prefixes', () => {
  const prefixes: readonly (readonly [string, (line: string, at: number) => string])[] = [
    ['docker compose', (line) => `web-1  | ${line}`],
    ['docker compose with timestamps', (line) => `web-1  | 2026-11-20T08:00:00.123456789Z ${line}`],
    ['docker logs with timestamps', (line) => `2026-11-20T08:00:00.123456789Z ${line}`],
    ['pm2', (line) => `0|app  | ${line}`],
    ['Kubernetes', (line) => `2026-11-20T08:00:00.123456789Z stdout F ${line}`],
    ['kubectl logs', (line) => `[pod/web-6f7/nginx] ${line}`],
    ['syslog', (line) => `Nov 20 08:00:00 web nginx: ${line}`],
    ['syslog with ISO times', (line) => `2026-11-20T08:00:00+00:00 web nginx[12]: ${line}`],
    ['syslog by RFC 5424', (line) => `<190>1 2026-11-20T08:00:00.000Z web nginx 12 - [a@1 b="c"] ${line}`],
    ['Heroku', (line) => `2026-11-20T08:00:00.123456+00:00 app[web.1]: ${line}`],
    ['Docker in JSON', (line) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-20T08:00:00Z' })],
    ['collectors of logs', (line, at) => JSON.stringify({ '@timestamp': START + at, message: line })],
  ];
  const json = requests.map((request) =>
    JSON.stringify({ msec: START / 1e3 + request.at, remote_addr: request.ip, status: 200 }),
  );

  it.each(prefixes)('is read as without those of %s, whatever its format is', async (_what, wrap) => {
    const bare = await Promise.all([report(many), report(json)]);
    const wrapped = await Promise.all([report(many.map(wrap)), report(json.map(wrap))]);

    expect(wrapped).toEqual(bare);
  });

  it('may have lines without a prefix, and lines that are no requests', async () => {
    const [, syslog] = prefixes[6]!;
    const run = await report([...many.slice(0, 300).map(syslog), ...many.slice(300), 'web-1  | server is listening']);

    expect(run).toMatchObject({ requests: 371, reading: { unreadable: 1 } });
  });

  it('has the clients of the log, whatever prefixes stand before whatever lines', async () => {
    const wraps = fc.array(fc.constantFrom(...prefixes.slice(0, 10).map(([, wrap]) => wrap)), { maxLength: 2 });
    const requestOf = (at: number): Logged => ({ at, ip: `203.0.113.${at % 7}` });

    await fc.assert(
      fc.asyncProperty(wraps, fc.integer({ min: 1, max: 20 }), async (some, count) => {
        const lines = Array.from({ length: count }, (_, at) => combinedLine(requestOf(at)));
        const run = await report(lines.map((line, at) => some.reduce((inner, wrap) => wrap(inner, at), line)));

        expect(run).toMatchObject({ requests: count, clients: Math.min(7, count) });
      }),
      { numRuns: 25 },
    );
  });
});

describe('a log with more clients than the memory holds', () => {
  const clients = 40_000;
  const replayed = (args: readonly string[]) => {
    const path = join(folder, 'clients.log');
    const lines = Array.from({ length: clients }, (_, at) =>
      combinedLine({ at: at / 100, ip: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` }),
    );
    writeFileSync(path, `${lines.join('\n')}\n`);
    return sluiceAlone(['replay', path, ...args], { env: { NODE_OPTIONS: '--max-old-space-size=48' } });
  };

  it('is replayed as far as it fits, also where each client has a count in many tiers', async () => {
    const limits = Array.from({ length: 8 }, (_, at) => ['--limits', `1/${at + 1}m`, '--against', `1/${at + 1}h`]);
    const { code, stdout, stderr } = await replayed(limits.flat());

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('were left out') });
    expect(stdout).toContain('requests of');
  });

  it('is replayed as far as it fits, and the report says what was left out', async () => {
    const { code, stdout, stderr } = await replayed([]);
    const [, count] = /^([\d\u2009 ]+) requests of/.exec(stdout)!;
    const read = Number(count!.replaceAll(/\D/g, ''));

    expect(code).toBe(0);
    expect(read).toBeGreaterThan(5_000);
    expect(stderr.replaceAll(/(?<=\d)\D(?=\d{3})/g, '')).toContain(
      `${clients - read} requests of further clients were left out`,
    );
  });
});
