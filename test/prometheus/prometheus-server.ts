import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onFreePort, PortTaken } from '../support/free-port.js';
import { guard } from '../support/guard.js';
import { prometheusProgram } from './program.js';
import { sped, type Query } from './queries.js';

/** A series with its latest number. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A real Prometheus that scrapes every second. */
export interface PrometheusServer {
  /** Resolves with the series of an expression now, without those that are not a number. */
  query(expression: string): Promise<readonly Sample[]>;
  /** Resolves with the names of the queries without an answer. */
  withoutData(queries: readonly Query[]): Promise<string[]>;
  /** Resolves when each target has been scraped again, so that queries know all that happened before. */
  scraped(): Promise<void>;
  stop(): Promise<void>;
}

const ATTEMPTS = 5;

/** @param targets ports of pages at /metrics, by the names of their jobs */
export async function startPrometheus(targets: Readonly<Record<string, number>>): Promise<PrometheusServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-prometheus-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: Object.entries(targets).map(([job, port]) => ({
      job_name: job,
      static_configs: [{ targets: [`127.0.0.1:${port}`] }],
    })),
  };
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(config));
  const { port, end } = await onFreePort((free) => startProcess(free, directory)).catch(async (error: unknown) => {
    await remove();
    throw error;
  });

  const query = async (expression: string) => {
    const body = new URLSearchParams({ query: expression });
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query`, { method: 'POST', body });
    const { error, data } = (await response.json()) as Answer;
    if (!data) throw new Error(`${expression}: ${error}`);
    return data.result
      .map(({ metric, value: [, text] }) => ({ labels: metric, value: Number(text) }))
      .filter(({ value }) => !Number.isNaN(value));
  };
  const latest = async () => {
    const samples = await query('timestamp(up)');
    return samples.length < Object.keys(targets).length ? 0 : Math.min(...samples.map(({ value }) => value));
  };
  const scraped = async () => {
    const startedAt = Date.now() / 1e3;
    while ((await latest()) <= startedAt) await delay(100);
  };
  return {
    query,
    async withoutData(queries) {
      let missing = queries;
      // A loaded machine misses a scrape, and until the next one gauges have no data.
      for (let attempt = 0; missing.length > 0 && attempt < ATTEMPTS; attempt += 1) {
        if (attempt > 0) await scraped();
        const answers = await Promise.all(missing.map(([, expression]) => query(sped(expression))));
        missing = missing.filter((_query, index) => answers[index]!.length === 0);
      }
      return missing.map(([name]) => name);
    },
    scraped,
    async stop() {
      await end();
      await remove();
    },
  };
}

interface Answer {
  readonly error?: string;
  readonly data?: {
    readonly result: readonly { readonly metric: Sample['labels']; readonly value: readonly [number, string] }[];
  };
}

async function startProcess(port: number, directory: string) {
  const options = [
    `--web.listen-address=127.0.0.1:${port}`,
    `--config.file=${join(directory, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
  ];
  const child = spawn(prometheusProgram('prometheus'), options, { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  await once(child, 'spawn');
  const release = guard(child, directory);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)));
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  while (isRunning() && !(await isReady(port))) await delay(20);
  if (isRunning()) {
    const end = async () => {
      child.kill('SIGKILL');
      await closed;
      release();
    };
    return { port, end };
  }

  await closed;
  release();
  throw log.includes('address already in use') ? new PortTaken(log) : new Error(`prometheus did not start:\n${log}`);
}

async function isReady(port: number): Promise<boolean> {
  const [answer] = await Promise.allSettled([fetch(`http://127.0.0.1:${port}/-/ready`)]);
  return answer.status === 'fulfilled' && answer.value.ok;
}
