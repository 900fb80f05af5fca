import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import type { Redis } from 'ioredis';
import { placement, type Cores } from './processes/cores.js';

/** The machine and the versions of a run. */
export interface Environment {
  readonly date: string;
  readonly commit: string;
  readonly cpu: string;
  readonly cores: number;
  /** The processes on each core. */
  readonly placement: string;
  readonly gibibytes: number;
  readonly system: string;
  readonly node: string;
  readonly redis: string;
  readonly packages: Readonly<Record<string, string>>;
}

export async function environment(client: Redis, where: Cores | undefined): Promise<Environment> {
  const info = await client.info('server');
  const of = (name: string) => new RegExp(`${name}:(\\S+)`).exec(info)?.[1];
  const valkey = of('valkey_version');
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() ?? '',
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    placement: placement(where),
    gibibytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    redis: valkey ? `Valkey ${valkey}` : `Redis ${of('redis_version')}`,
    packages: versions(),
  };
}

function versions(): Record<string, string> {
  const { dependencies } = manifest('../package.json') as { dependencies: Record<string, string> };
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => [name, String(manifest(`../node_modules/${name}/package.json`).version)]),
  );
}

function manifest(path: string): { readonly version?: string } {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version?: string };
}
