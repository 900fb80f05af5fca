import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { transform } from '@swc/core';
import { RETRY_AFTER } from '../../packages/migrate/src/limits/differences.js';
import type { Difference } from '../../packages/migrate/src/limits/limit-draft.js';
import { root } from '../../scripts/root.mjs';
import { startProgram } from '../support/program.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { FIXTURES, migrated, textOf } from './fixtures.js';
import { BESIDE, DEPLOYED, REQUESTS, type SentRequest } from './requests.js';

/** Where the programs find both libraries. */
const folder = join(root, 'test/node_modules/.cache/sluice-migrate');

interface Answer {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  /** Seconds, to the nearest 10: the clock moves between two programs, and a window may end some milliseconds later. */
  readonly wait?: number | undefined;
  /** What the headers say of the limit, in any of their forms. */
  readonly limit?: string | undefined;
  readonly remaining?: string | undefined;
  /** Of a denial, where the program says it. */
  readonly body?: string | undefined;
}

/** What the command says of what is compared, and that it differs. */
const HEADERS_DIFFER = 'Headers have no names of throttlers at their ends.';
const BODIES_DIFFER = [
  'The body of a denial is problem details: set body for another one.',
  "What said '1 minute' of the wait says '60 seconds'.",
];

/** What must be the same before and after: all but what the command says. */
function saidBy(differences: readonly Difference[]) {
  const texts = differences.map(({ text }) => text);
  return ({ status, hasRetryAfter, wait, limit, remaining, body }: Answer): Partial<Answer> => ({
    status,
    // Ours has Retry-After where theirs has none.
    ...(differences.includes(RETRY_AFTER) ? {} : { hasRetryAfter, wait }),
    ...(texts.includes(HEADERS_DIFFER) ? {} : { limit, remaining }),
    ...(BODIES_DIFFER.some((each) => texts.includes(each)) ? {} : { body }),
  });
}

describe('A migrated program', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(async () => {
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(FIXTURES.filter((path) => REQUESTS[path]))('answers like before: %s', async (path) => {
    const before = textOf(path);
    const { translations } = await migrated(path, before);
    const { text: after, unread, differences } = translations[0]!;

    const theirs = await answersOf({ path, time: 'before', text: before }, REQUESTS[path]!, [redis.url]);
    const ours = await answersOf({ path, time: 'after', text: after }, REQUESTS[path]!, [redis.url]);

    expect(unread).toEqual([]);
    expect(theirs.filter(({ status }) => status >= 400).length).toBeGreaterThan(0);
    // Theirs says NaN for a window that is text.
    const compared = ours.map((answer, index) =>
      Number.isNaN(theirs[index]!.wait) ? { ...answer, wait: Number.NaN } : answer,
    );
    expect(compared.map(saidBy(differences))).toEqual(theirs.map(saidBy(differences)));
  });

  it.each(Object.keys(BESIDE))('answers like before where a limit stays as it is: %s', async (path) => {
    const before = textOf(path);
    const { translations } = await migrated(path, before);
    const { text: after, unread, differences } = translations[0]!;

    const theirs = await answersOf({ path, time: 'before', text: before }, BESIDE[path]!, [redis.url]);
    const ours = await answersOf({ path, time: 'after', text: after }, BESIDE[path]!, [redis.url]);

    expect(after).not.toBe(before);
    expect(unread.length).toBeGreaterThan(0);
    expect(theirs.map(({ status }) => status)).toEqual([200, 200, 429, 200, 200, 200, 429]);
    expect(ours.map(saidBy(differences))).toEqual(theirs.map(saidBy(differences)));
  });

  it.each(Object.keys(DEPLOYED))('counts two deployments on one Redis apart, like before: %s', async (path) => {
    const before = textOf(path);
    const { translations } = await migrated(path, before);
    const programs = [
      { path, time: 'before', text: before },
      { path, time: 'after', text: translations[0]!.text },
    ] as const;

    const [theirs, ours] = [[], []] as number[][];
    for (const [program, statuses] of [
      [programs[0], theirs!],
      [programs[1], ours!],
    ] as const) {
      for (const app of ['shop', 'admin']) {
        const answers = await answersOf(program, DEPLOYED[path]!, [redis.url, app]);
        statuses.push(...answers.map(({ status }) => status));
      }
    }

    expect(translations[0]!.unread).toEqual([]);
    expect(theirs).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
    expect(ours).toEqual(theirs);
  });
});

interface Program {
  readonly path: string;
  readonly time: 'before' | 'after';
  readonly text: string;
}

async function answersOf(
  { path, time, text }: Program,
  requests: readonly SentRequest[],
  args: readonly string[],
): Promise<Answer[]> {
  const file = join(folder, time, path.replace(/\.ts$/, '.mjs'));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, path.endsWith('.ts') ? await withoutTypes(text) : text);
  const program = await startProgram('test/migrate/serve.mjs', [file, ...args]);
  try {
    const answers = [];
    for (const request of requests) answers.push(await send(program.started as number, request));
    return answers;
  } finally {
    await program.stop();
  }
}

async function send(port: number, { method = 'GET', path, headers = {}, later }: SentRequest): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    signal: AbortSignal.timeout(20_000),
  });
  const body = await response.text();
  // A refund is made when the response has ended.
  if (later) await new Promise((resolve) => setTimeout(resolve, later));
  const header = (name: string) =>
    response.headers.get(`x-ratelimit-${name}`) ?? response.headers.get(`ratelimit-${name}`) ?? undefined;
  const wait = response.headers.get('retry-after');
  return {
    status: response.status,
    hasRetryAfter: wait !== null,
    wait: wait === null ? undefined : Math.round(Number(wait) / 10) * 10,
    limit: numberOf(header('limit')),
    remaining: numberOf(header('remaining')),
    body: response.status === 429 ? body : undefined,
  };
}

/** Infinity is the limit of a request without one, for which ours has no header. */
function numberOf(text: string | undefined): string | undefined {
  return text === 'Infinity' ? undefined : text;
}

async function withoutTypes(text: string): Promise<string> {
  const { code } = await transform(text, {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2022',
    },
    module: { type: 'es6' },
  });
  return code;
}
