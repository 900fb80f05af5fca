import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onFreePort } from '../support/free-port.js';
import { guard } from '../support/guard.js';
import { prometheusProgram } from './program.js';

export interface RedisExporter {
  /** Where its page is. */
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a real redis_exporter for a server. */
export function startRedisExporter(url: string): Promise<RedisExporter> {
  return onFreePort(async (port) => {
    const options = ['-redis.addr', url, '-web.listen-address', `127.0.0.1:${port}`];
    const child = spawn(prometheusProgram('prometheus-redis-exporter'), options, { stdio: 'ignore' });
    const closed = once(child, 'close');
    await once(child, 'spawn');
    const release = guard(child, await mkdtemp(join(tmpdir(), 'sluice-exporter-')));
    while (!(await serves(port))) {
      if (child.exitCode !== null) throw new Error('redis_exporter did not start');
      await delay(20);
    }
    return {
      port,
      async stop() {
        child.kill('SIGKILL');
        await closed;
        release();
      },
    };
  });
}

async function serves(port: number): Promise<boolean> {
  const [answer] = await Promise.allSettled([fetch(`http://127.0.0.1:${port}/metrics`)]);
  return answer.status === 'fulfilled' && answer.value.ok;
}
