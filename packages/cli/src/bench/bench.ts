// bench/ measures checks a second against a Redis server. A connection enters, and figures leave. It imports sources,
// terminal, invocation and failure.
import { createLimiter, subscribe, type Limiter } from '@sluice/core';
import type { Redis } from 'ioredis';
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { prefixesOf } from '../sources/prefixes.js';
import { openRedis, type RedisSource } from '../sources/redis-source.js';
import type { Terminal } from '../terminal/terminal.js';
import { hasOtherHost } from '../sources/other-host.js';

interface BenchOptions {
  readonly config?: string;
  /** In milliseconds. */
  readonly for: number;
  readonly yes?: boolean;
}

/** Checks in flight, one measurement each. */
const IN_FLIGHT = [1, 16, 64];
const KEYS = 10_000;
/** Milliseconds of checks that do not count: the connection, the script, and code that V8 has not compiled. */
const WARM_UP_MS = 500;

interface Measurement {
  readonly inFlight: number;
  readonly checksPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly checksPerCall: number;
  /** Share of one core, summed over the servers. */
  readonly redisCpu: number;
  /** Checks without an answer within the deadline. */
  readonly missed: number;
}

/** Measures what a limiter gets from this Redis, over this network. */
export async function bench({ options, terminal, signal }: Invocation<BenchOptions>): Promise<ExitCode> {
  const source = await openRedis(options);
  try {
    const question = 'This Redis is on another machine, and the measurement keeps it busy. Go on?';
    if (hasOtherHost(source) && !options.yes && !(await terminal.ask(question))) {
      throw usage('bench keeps a Redis of another machine busy: add --yes if that is fine');
    }
    const [prefix] = prefixesOf(source) as [string];
    const [store, window] = [source.openStore(), '10s' as const];
    const limiter = createLimiter<number>({ store, prefix, name: 'sluice-bench', key: String, limit: 1_000, window });
    await run(limiter, { inFlight: 1, milliseconds: WARM_UP_MS, signal });
    const measurements: Measurement[] = [];
    for (const inFlight of IN_FLIGHT) {
      terminal.progress(`${inFlight} in flight …`);
      const milliseconds = options.for / IN_FLIGHT.length;
      measurements.push(await measure(source, limiter, { inFlight, milliseconds, signal }));
    }
    if (terminal.isJson) terminal.document({ measurements });
    else printTable(measurements, terminal);
    return measurements.every(({ missed }) => missed === 0) ? ExitCode.fine : ExitCode.found;
  } finally {
    await source.close();
  }
}

interface Load {
  readonly inFlight: number;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

async function measure(source: RedisSource, limiter: Limiter<number>, load: Load): Promise<Measurement> {
  let calls = 0;
  const unsubscribe = subscribe('sluice:store-call', () => (calls += 1));
  const [cpu, start] = [await cpuOf(source.primaries()), performance.now()];
  const { durations, missed } = await run(limiter, load);
  const seconds = (performance.now() - start) / 1e3;
  const used = (await cpuOf(source.primaries())) - cpu;
  unsubscribe();
  const sorted = durations.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? NaN;
  return {
    inFlight: load.inFlight,
    checksPerSecond: sorted.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    checksPerCall: sorted.length / calls,
    redisCpu: used / seconds,
    missed,
  };
}

/** Keeps so many checks in flight for a time. */
async function run(limiter: Limiter<number>, { inFlight, milliseconds, signal }: Load) {
  const end = performance.now() + milliseconds;
  const durations: number[] = [];
  let missed = 0;
  const client = async () => {
    for (let now = performance.now(); now < end && !signal.aborted;) {
      const { degraded } = await limiter.consume(Math.floor(Math.random() * KEYS));
      const answered = performance.now();
      durations.push(answered - now);
      if (degraded) missed += 1;
      now = answered;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  return { durations, missed };
}

/** Seconds of CPU of all servers. */
async function cpuOf(servers: readonly Redis[]): Promise<number> {
  const texts = await Promise.all(servers.map((redis) => redis.info('cpu')));
  const seconds = texts.flatMap((text) =>
    [...text.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].map(([, each]) => Number(each)),
  );
  return seconds.reduce((sum, each) => sum + each, 0);
}

function printTable(measurements: readonly Measurement[], terminal: Terminal): void {
  const right = (title: string) => ({ title, align: 'right' }) as const;
  const columns = ['in flight', 'checks/s', 'p50 ms', 'p99 ms', 'checks a call', 'Redis CPU', 'missed'].map(right);
  const rows = measurements.map((each) => [
    String(each.inFlight),
    each.checksPerSecond.toFixed(0),
    each.p50.toFixed(2),
    each.p99.toFixed(2),
    each.checksPerCall.toFixed(1),
    `${(100 * each.redisCpu).toFixed(0)} %`,
    String(each.missed),
  ]);
  terminal.printTable(columns, rows);
}
