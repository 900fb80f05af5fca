import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { redisServer } from '../../scripts/redis-server.mjs';
import { onFreePort } from './free-port.js';
import { guard } from './guard.js';

export interface SentinelOptions {
  /** Sentinels that must agree that the primary is down. @default 1 */
  quorum?: number;
  /** More of its settings for the group, such as `down-after-milliseconds`. */
  settings?: Readonly<Record<string, number>>;
}

export interface Sentinel {
  readonly host: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** The options of a client: the address of the Sentinel, and the name of its group. */
  readonly group: { sentinels: { host: string; port: number }[]; name: string };
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const name = 'primary';

/** Starts a Sentinel for one primary, and resolves when it knows it. */
export async function startSentinel(
  primary: { readonly port: number },
  { quorum = 1, settings = {} }: SentinelOptions = {},
): Promise<Sentinel> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-sentinel-'));
  return onFreePort(async (port) => {
    const lines = [
      `port ${port}`,
      `bind ${host}`,
      `dir ${directory}`,
      `sentinel monitor ${name} ${host} ${primary.port} ${quorum}`,
      ...Object.entries(settings).map(([setting, value]) => `sentinel ${setting} ${name} ${value}`),
    ];
    const config = join(directory, 'sentinel.conf');
    await writeFile(config, `${lines.join('\n')}\n`);
    const child = spawn(redisServer(), [config, '--sentinel'], { stdio: 'ignore' });
    const closed = once(child, 'close');
    await once(child, 'spawn');
    const release = guard(child, directory);
    const client = new Redis(port, { retryStrategy: () => 20, maxRetriesPerRequest: 500 });
    client.on('error', () => undefined);
    await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
    client.disconnect();
    return {
      host,
      port,
      process: child,
      group: { sentinels: [{ host, port }], name },
      async stop() {
        child.kill('SIGKILL');
        await closed;
        release();
        await rm(directory, { recursive: true, force: true });
      },
    };
  });
}
