import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { redisServer } from '../../scripts/redis-server.mjs';
import { onFreePort } from '../support/free-port.js';
import { guard } from '../support/guard.js';

export interface Sentinel {
  /** What a client is told: where the Sentinel is, and the name of its group. */
  readonly group: { sentinels: { host: string; port: number }[]; name: string };
  stop(): Promise<void>;
}

/** Starts a Sentinel that watches one primary, and resolves when it answers for it. */
export async function startSentinel(primary: { readonly port: number }): Promise<Sentinel> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-sentinel-'));
  const name = 'primary';
  return onFreePort(async (port) => {
    const config = join(directory, 'sentinel.conf');
    const watched = `sentinel monitor ${name} 127.0.0.1 ${primary.port} 1`;
    await writeFile(config, `port ${port}\nbind 127.0.0.1\ndir ${directory}\n${watched}\n`);
    const child = spawn(redisServer(), [config, '--sentinel'], { stdio: 'ignore' });
    const closed = once(child, 'close');
    await once(child, 'spawn');
    const release = guard(child, directory);
    const client = new Redis(port, { retryStrategy: () => 20, maxRetriesPerRequest: 500 });
    client.on('error', () => undefined);
    await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
    client.disconnect();
    return {
      group: { sentinels: [{ host: '127.0.0.1', port }], name },
      async stop() {
        child.kill('SIGKILL');
        await closed;
        release();
        await rm(directory, { recursive: true, force: true });
      },
    };
  });
}
