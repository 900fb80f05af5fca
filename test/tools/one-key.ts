import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import express, { type Request } from 'express';
import { createLimiter, run } from '../../packages/core/src/index.js';
import { rateLimit } from '../../packages/express/src/index.js';
import { line } from '../../packages/overload/src/line/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { startRedis } from '../support/redis.js';
import { table } from './table.js';

// npm run tool -- one-key [--minutes 3]
// Workers that share one API key, in real time: four processes of Express on one Redis, and clients that come back in several ways.
// First a fleet that comes all at once, until each of its workers has been served; then one that goes on, with a tenth of its workers
// impatient. All rows run beside each other, each with a limit of its own. At last four processes call an upstream by \`run\`, each
// with jobs of its own: the upstream has a limit itself, and counts what is too much.

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, serve: { type: 'string' }, call: { type: 'string' } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 60)) throw new Error('--minutes must be above 0, and 60 at most, such as --minutes 3');

const PROCESSES = 4;
const MINUTE = 60_000;

/** The limits of the servers, by path. */
const FLEETS = [
  { workers: 200, limit: 100 },
  { workers: 30, limit: 10 },
] as const;
const LASTING = { workers: 50, impatient: 5, limit: 300 } as const;

type Lines = 'none' | 'line' | 'by';
interface Way {
  readonly name: string;
  readonly lines: Lines;
  /** Milliseconds until a worker comes back that has been denied so often. */
  readonly wait: (told: { seconds: number; milliseconds: number }, denials: number) => number;
}

const WAYS: readonly Way[] = [
  { name: 'exact (no line)', lines: 'none', wait: ({ seconds }) => seconds * 1e3 },
  {
    name: 'jitter on the server, over a window',
    lines: 'none',
    wait: ({ seconds }) => seconds * 1e3 + Math.random() * MINUTE,
  },
  {
    name: 'full jitter on the client, no wait read',
    lines: 'none',
    wait: (_told, denials) => Math.random() * Math.min(MINUTE, 1e3 * 2 ** denials),
  },
  { name: 'a line, by Retry-After', lines: 'line', wait: ({ seconds }) => seconds * 1e3 },
  { name: 'a line, by retry-after-ms', lines: 'line', wait: ({ milliseconds }) => milliseconds },
];

/** Of the fleet that goes on: how its patient workers come back. */
const LASTING_WAYS: readonly Way[] = [
  { name: 'exact (no line)', lines: 'none', wait: ({ seconds }) => seconds * 1e3 },
  { name: 'a line without by', lines: 'line', wait: ({ milliseconds }) => milliseconds },
  { name: 'a line with by', lines: 'by', wait: ({ milliseconds }) => milliseconds },
];

/** Of the upstream, and of the jobs that call it. Its clients leave it some room for requests that arrive closer together. */
const UPSTREAM = { limit: 300, window: '1m', burst: 60 } as const;
const CALLERS = { limit: 300, window: '1m', burst: 50 } as const;
const JOBS = 20;

if (values.serve !== undefined) await serve(values.serve);
else if (values.call !== undefined) await call(values.call);
else await measure();

/** Jobs of one process, each of which calls the upstream as often as it may. */
async function call(text: string): Promise<void> {
  const { url, upstream } = JSON.parse(text) as { url: string; upstream: string };
  const store = redisStore({ url }, { deadline: '2s' });
  await store.ready();
  const tier = { name: 'upstream', key: () => 'all', algorithm: 'token-bucket', ...CALLERS } as const;
  const limiter = createLimiter<string>({
    store,
    secret: 'of this measurement',
    tiers: [{ ...tier, line: line({ longest: '15m', keep: '2s' }) }],
  });
  process.send!('ready');
  await once(process, 'message');
  const end = performance.now() + minutes * MINUTE;
  const job = async (index: number) => {
    const counts = { done: 0, tooMany: 0, longest: 0 };
    while (performance.now() < end) {
      const startedAt = performance.now();
      const { value } = await run(limiter, `job-${index}`, () => fetch(upstream), { wait: '5m' });
      counts.longest = Math.max(counts.longest, performance.now() - startedAt);
      counts[value?.status === 200 ? 'done' : 'tooMany'] += 1;
    }
    return counts;
  };
  process.send!(await Promise.all(Array.from({ length: JOBS }, (_, index) => job(index))));
  await store.close();
  process.disconnect();
}

/** What jobs in four processes got from an upstream that has a limit itself. */
async function callUpstream(redis: string): Promise<readonly (readonly string[])[]> {
  const app = express();
  app.get(
    '/',
    rateLimit({ name: 'own', key: () => 'all', algorithm: 'token-bucket', ...UPSTREAM }),
    (_request, response) => response.end(),
  );
  const server = app.listen(0);
  await once(server, 'listening');
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const file = fileURLToPath(import.meta.url);
  const args = ['--call', JSON.stringify({ url: redis, upstream }), '--minutes', String(minutes)];
  const callers = Array.from({ length: PROCESSES }, () => fork(file, args));
  await Promise.all(callers.map((each) => once(each, 'message')));
  const startedAt = performance.now();
  const results = callers.map(async (each) => {
    each.send('go');
    const [counts] = (await once(each, 'message')) as [readonly { done: number; tooMany: number; longest: number }[]];
    return counts;
  });
  const all = await Promise.all(results);
  // Jobs that were in line at the end have gone on until their turn.
  const elapsed = (performance.now() - startedAt) / MINUTE;
  server.close().closeAllConnections();
  const jobs = all.flat();
  const done = jobs.map((each) => each.done);
  return [
    [
      `${PROCESSES} processes of ${JOBS} jobs, for ${minutes} minutes`,
      'done',
      'too many',
      'of a process',
      'of a job',
      'longest wait, s',
      'capacity',
    ],
    [
      'run, with a line',
      String(sum(done)),
      String(sum(jobs.map((each) => each.tooMany))),
      all.map((each) => sum(each.map((one) => one.done))).join(', '),
      `${Math.min(...done)} to ${Math.max(...done)}`,
      (Math.max(...jobs.map((each) => each.longest)) / 1e3).toFixed(1),
      (sum(done) / (CALLERS.burst + elapsed * CALLERS.limit)).toFixed(3),
    ],
  ];
}

async function serve(url: string): Promise<void> {
  const store = redisStore({ url }, { deadline: '2s' });
  await store.ready();
  const app = express();
  const mount = (path: string, limit: number, lines: Lines) =>
    app.get(
      path,
      rateLimit({
        name: path.slice(1),
        key: () => 'partner',
        algorithm: 'token-bucket',
        limit,
        window: '1m',
        store,
        ...(lines !== 'none' && {
          line: line({
            longest: '15m',
            ...(lines === 'by' && { by: (request: Request) => request.get('x-worker') }),
          }),
        }),
      }),
      (_request, response) => response.end(),
    );
  for (const { limit } of FLEETS)
    for (const [index, { lines }] of WAYS.entries()) mount(`/f${limit}-${index}`, limit, lines);
  for (const [index, { lines }] of LASTING_WAYS.entries()) mount(`/l${index}`, LASTING.limit, lines);
  const server = app.listen(0, () => process.send!((server.address() as AddressInfo).port));
  // Else it closes connections that the client is about to use.
  server.keepAliveTimeout = 0;
}

async function measure(): Promise<void> {
  const redis = await startRedis();
  const file = fileURLToPath(import.meta.url);
  const servers = Array.from({ length: PROCESSES }, () => fork(file, ['--serve', redis.url]));
  const ports = await Promise.all(servers.map(portOf));
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const send = (path: string, worker: string) =>
    ask(agent, ports[Math.floor(Math.random() * PROCESSES)]!, path, worker);
  try {
    const fleets = FLEETS.flatMap(({ workers, limit }) =>
      WAYS.map(async (way, index) => [
        `${workers} at ${limit} a minute: ${way.name}`,
        ...fleetRow(await runFleet(workers, way, (worker) => send(`/f${limit}-${index}`, worker)), limit),
      ]),
    );
    console.log(
      table([
        [
          'all at once, until all are served',
          'requests',
          'least',
          'seconds',
          'capacity',
          'denials of the worst',
          'Jain',
        ],
        ...(await Promise.all(fleets)),
      ]),
    );
    const lasting = LASTING_WAYS.map(async (way, index) => [
      way.name,
      ...lastingRow(await runLasting(way, (worker) => send(`/l${index}`, worker))),
    ]);
    console.log(
      table([
        [
          `${LASTING.workers} workers, ${LASTING.limit} a minute, for ${minutes} minutes`,
          'requests for one served',
          'a patient worker',
          'least',
          'an impatient worker',
          'impatient x patient',
          'denials in a row',
        ],
        ...(await Promise.all(lasting)),
      ]),
    );
    console.log(table(await callUpstream(redis.url)));
  } finally {
    agent.destroy();
    for (const server of servers) server.kill();
    await redis.stop();
  }
}

async function portOf(server: ChildProcess): Promise<number> {
  const [port] = (await once(server, 'message')) as [number];
  return port;
}

interface Answer {
  readonly isServed: boolean;
  readonly seconds: number;
  readonly milliseconds: number;
}

async function ask(agent: Agent, port: number, path: string, worker: string): Promise<Answer> {
  const request = get({ agent, port, path, headers: { 'x-worker': worker } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  const { statusCode, headers } = response;
  if (statusCode !== 200 && statusCode !== 429) throw new Error(`${path} was answered with ${statusCode}`);
  const seconds = Number(headers['retry-after']);
  return {
    isServed: statusCode === 200,
    seconds,
    milliseconds: headers['retry-after-ms'] === undefined ? seconds * 1e3 : Number(headers['retry-after-ms']),
  };
}

interface FleetRun {
  readonly sent: readonly number[];
  readonly seconds: number;
}

/** All workers come at once, and come back until they are served. */
async function runFleet(workers: number, way: Way, send: (worker: string) => Promise<Answer>): Promise<FleetRun> {
  const startedAt = performance.now();
  const workUntilServed = async (worker: string): Promise<number> => {
    for (let sent = 1; ; sent += 1) {
      const answer = await send(worker);
      if (answer.isServed) return sent;
      await delay(way.wait(answer, sent));
    }
  };
  const sent = await Promise.all(Array.from({ length: workers }, (_, index) => workUntilServed(`worker-${index}`)));
  return { sent, seconds: (performance.now() - startedAt) / 1e3 };
}

function fleetRow({ sent, seconds }: FleetRun, limit: number): readonly string[] {
  const workers = sent.length;
  const total = sum(sent);
  return [
    String(total),
    String(workers + (workers - limit)),
    seconds.toFixed(1),
    (workers / (limit + (seconds * limit) / 60)).toFixed(3),
    String(Math.max(...sent) - 1),
    (total ** 2 / (workers * sum(sent.map((each) => each ** 2)))).toFixed(2),
  ];
}

interface Worker {
  served: number;
  sent: number;
  /** Denials since it was served last. */
  inARow: number;
  worst: number;
}

async function runLasting(way: Way, send: (worker: string) => Promise<Answer>): Promise<readonly Worker[]> {
  const end = performance.now() + minutes * MINUTE;
  const goOn = async (index: number): Promise<Worker> => {
    const isImpatient = index < LASTING.impatient;
    const worker = { served: 0, sent: 0, inARow: 0, worst: 0 };
    while (performance.now() < end) {
      const answer = await send(`worker-${index}`);
      worker.sent += 1;
      worker.served += answer.isServed ? 1 : 0;
      worker.inARow = answer.isServed ? 0 : worker.inARow + 1;
      worker.worst = Math.max(worker.worst, worker.inARow);
      if (answer.isServed) continue;
      const wait = isImpatient ? 1e3 + Math.random() * 2e3 : way.wait(answer, worker.inARow);
      await delay(Math.min(wait, Math.max(0, end - performance.now())));
    }
    return worker;
  };
  return Promise.all(Array.from({ length: LASTING.workers }, (_, index) => goOn(index)));
}

function lastingRow(workers: readonly Worker[]): readonly string[] {
  const impatient = workers.slice(0, LASTING.impatient);
  const patient = workers.slice(LASTING.impatient);
  const mean = (each: readonly Worker[]) => sum(each.map(({ served }) => served)) / each.length;
  return [
    (sum(workers.map(({ sent }) => sent)) / sum(workers.map(({ served }) => served))).toFixed(1),
    mean(patient).toFixed(1),
    String(Math.min(...patient.map(({ served }) => served))),
    mean(impatient).toFixed(1),
    (mean(impatient) / mean(patient)).toFixed(2),
    String(Math.max(...patient.map(({ worst }) => worst))),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((before, each) => before + each, 0);
}
