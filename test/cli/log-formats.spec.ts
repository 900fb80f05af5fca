import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { trustProxy } from '../../packages/http/src/index.js';
import { replayCommand } from '../../packages/cli/src/commands/replay-command.js';
import { detectFormat } from '../../packages/cli/src/logs/formats/detect-format.js';
import { pathOf } from '../../packages/cli/src/logs/formats/request-line.js';
import { FORMATS, formatOf } from '../../packages/cli/src/logs/formats/formats.js';
import {
  OTHER_EVENT,
  SKIPPED,
  type ExtraFields,
  type LogReader,
} from '../../packages/cli/src/logs/lines/log-reader.js';
import { root } from '../../scripts/root.mjs';

const folder = join(root, 'test', 'cli', 'logs');

const NGINX = '$msec $request_time $remote_addr "$request" $status key="$http_x_api_key"';

/** How the lines of each golden file are read, if not by the name of the file. */
const special: Readonly<Record<string, { format?: string; extra?: ExtraFields }>> = {
  main: { extra: { addressOf: trustProxy(['10.0.0.0/8']) } },
  ecs: { format: 'json' },
  nginx: { format: NGINX, extra: { key: 'http_x_api_key' } },
  cloudfront: { extra: { key: 'cs(User-Agent)' } },
  json: { extra: { key: 'user.id', cost: 'tokens' } },
};

const names = readdirSync(folder)
  .filter((name) => name.endsWith('.log'))
  .map((name) => name.slice(0, -'.log'.length));

function linesOf(file: string): string[] {
  return readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
}

function readerOf(name: string): LogReader {
  const { format = name, extra = {} } = special[name] ?? {};
  const lines = linesOf(`${name}.log`).map((line) => Buffer.from(line));
  return formatOf(format).reader(extra, lines);
}

/** A request as the golden files write it. */
function textOf(read: ReturnType<LogReader>): string {
  if (read === undefined || read === SKIPPED || read === OTHER_EVENT) return read ?? 'unreadable';
  const { time, ip, user, method, url, status, key, cost, agent } = read;
  const word = (text: string) => (text === '' ? '-' : text.replaceAll(' ', '_'));
  const named = agent && ` agent=${word(agent)}`;
  const extra = [key && ` key=${word(key)}`, cost && ` cost=${cost}`, named].join('');
  return `${new Date(time).toISOString()} ${word(ip)} ${[user, method, url].map(word).join(' ')} ${status}${extra}`;
}

describe.each(names)('the reader of %s', (name) => {
  const lines = linesOf(`${name}.log`);

  it('reads what is a request, and nothing else', () => {
    const read = readerOf(name);

    // A request can be read until the next line.
    expect(lines.map((line) => textOf(read(Buffer.from(line))))).toEqual(linesOf(`${name}.expected`));
  });

  it('is chosen by the first lines', () => {
    // A log_format of nginx must be named.
    expect(detectFormat(lines.slice(0, 5).map((line) => Buffer.from(line)))?.format.name).toBe(
      name === 'nginx' ? undefined : (names.find((each) => each === special[name]?.format) ?? name),
    );
  });

  it('reads any line without an error, also a damaged one', () => {
    const { format = name } = special[name] ?? {};
    const reader = formatOf(format).reader({});
    const damaged = fc
      .tuple(fc.constantFrom(...lines), fc.nat(400), fc.nat(20), fc.string({ unit: 'binary', maxLength: 20 }))
      .map(([line, start, length, text]) => line.slice(0, start) + text + line.slice(start + length));
    const any = fc.oneof(damaged, fc.string({ unit: 'binary' }), fc.json());
    const isValid = (read: ReturnType<LogReader>) =>
      typeof read !== 'object' ||
      (Number.isFinite(read.time) &&
        typeof read.ip === 'string' &&
        Number.isInteger(read.status) &&
        // Text is searched for the path in its bytes.
        read.path === pathOf(read.url));

    expect(() =>
      fc.assert(
        fc.property(any, (line) => isValid(reader(Buffer.from(line)))),
        { numRuns: 500 },
      ),
    ).not.toThrow();
  });
});

describe('formatOf', () => {
  it('knows all formats by name, and each has a log among these', () => {
    for (const { name } of FORMATS) expect(formatOf(name).name).toBe(name);

    expect(names).toEqual(expect.arrayContaining(FORMATS.map(({ name }) => name)));
  });

  it('has the names that the help of sluice replay has', () => {
    const { description } = replayCommand().options.find(({ long }) => long === '--format')!;

    expect(
      description
        .replace(/, or a log_format.*/, '')
        .split(', ')
        .toSorted(),
    ).toEqual(FORMATS.map(({ name }) => name).toSorted());
  });

  it.each([
    ['combinde', 'this is no known format, and no log_format of nginx'],
    ['$remote_addr$status', 'nothing separates $remote_addr and $status'],
    ['$status $time_local', 'there is no address: log $remote_addr'],
    ['$remote_addr $status', 'there is no time: log $msec and $request_time, or $time_local'],
  ])('says what is wrong with %s', (format, message) => {
    expect(() => formatOf(format).reader({})).toThrow(message);
  });

  it('names the fields that a log has', () => {
    expect(() => formatOf('common').reader({ key: 'http_x_key' })).toThrow(
      '--key http_x_key: this log has no such field; it has remote_addr, remote_user, time_local, request, status',
    );
  });
});

describe('detectFormat', () => {
  it.each([
    [
      'the ingress of Kubernetes, with its agents',
      '203.0.113.7 - - [20/Nov/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8" 83 0.002 [web-80] [] 10.0.0.7:80 5 0.002 200 6f1c',
      'combined',
    ],
    [
      'lines of docker compose',
      'web-1  | 203.0.113.7 - - [20/Nov/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 5',
      undefined,
    ],
  ])('reads %s', (_what, line, expected) => {
    expect(detectFormat([Buffer.from(line)])?.format.name).toBe(expected);
  });
});

describe('the path of a request', () => {
  it.each([
    ['/items?page=2', '/items'],
    ['https://www.example.com:443/items?page=2', '/items'],
    ['https://www.example.com', '/'],
    ['/a?b=https://www.example.com/', '/a'],
    ['*', '*'],
  ])('of %s is %s', (url, path) => {
    const line = `203.0.113.7 - - [20/Nov/2026:08:00:00 +0000] "GET ${url} HTTP/1.1" 200 5`;

    expect(formatOf('common').reader({})(Buffer.from(line))).toMatchObject({ url, path });
  });
});

describe('a line of combined', () => {
  it('may have its time in ISO 8601', () => {
    const line = '203.0.113.7 - - [2026-11-20T08:00:00+00:00] "GET / HTTP/1.1" 200 5 "-" "curl/8"';
    const { format } = detectFormat([Buffer.from(line)])!;

    expect([format.name, format.reader({})(Buffer.from(line))]).toMatchObject([
      'combined',
      { time: Date.UTC(2026, 10, 20, 8) },
    ]);
  });
});

describe('isWholeSeconds', () => {
  it.each<[string, readonly string[], boolean]>([
    ['nginx with $msec, on whole seconds', ['1763625600.000 0.000 203.0.113.7 "GET / HTTP/1.1" 200 key="-"'], false],
    ['combined', ['203.0.113.7 - - [20/Nov/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl"'], true],
    ['pino, on a whole second', ['{"time":1763625600000,"req":{"remoteAddress":"203.0.113.7"}}'], false],
    ['ISO with a fraction', ['{"@timestamp":"2026-11-20T08:00:00.000Z","client":{"ip":"203.0.113.7"}}'], false],
    ['ISO without one', ['{"@timestamp":"2026-11-20T08:00:00Z","client":{"ip":"203.0.113.7"}}'], true],
    ['any finer line', ['{"ts":1763625600,"ip":"203.0.113.7"}', '{"ts":1763625600.5,"ip":"203.0.113.7"}'], false],
  ])('tells by how a time is written: %s', (_what, lines, expected) => {
    const bytes = lines.map((line) => Buffer.from(line));
    const reader = (detectFormat(bytes)?.format ?? formatOf(NGINX)).reader({});
    for (const line of bytes) reader(line);

    expect(reader.isWholeSeconds()).toBe(expected);
  });
});
