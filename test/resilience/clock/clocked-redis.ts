import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { redisServer } from '../../../scripts/redis-server.mjs';
import { root } from '../../../scripts/root.mjs';
import { onFreePort, PortTaken } from '../../support/free-port.js';
import { guard } from '../../support/guard.js';
import { firstPong } from '../faults/pong.js';

/** A Redis with a wall clock that a test can step. */
export interface ClockedRedis {
  readonly port: number;
  readonly url: string;
  /** Sets its clock so many seconds ahead of the machine, or behind it if negative. */
  step(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** The reason why no clock can be stepped here, or undefined. */
export function whyNoClock(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux loads a library before the others by LD_PRELOAD';
  return spawnSync('gcc', ['--version']).status === 0 ? undefined : 'gcc is not installed';
}

/** libfaketime crashes Redis 7.0, so the clock is our own library. */
export async function startClockedRedis(): Promise<ClockedRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-clock-'));
  const library = join(directory, 'clock.so');
  await promisify(execFile)('gcc', [
    '-shared',
    '-fPIC',
    '-O1',
    '-o',
    library,
    join(root, 'test/resilience/clock/clock.c'),
  ]);
  const clock = join(directory, 'clock');
  const file = await open(clock, 'w');
  const step = async (seconds: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    await file.write(bytes, 0, 8, 0);
  };
  await step(0);
  const { port, end } = await onFreePort((free) =>
    startServer(free, directory, { LD_PRELOAD: library, SLUICE_CLOCK: clock }),
  );
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    step,
    async stop() {
      await end();
      await file.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startServer(port: number, directory: string, env: NodeJS.ProcessEnv) {
  const place = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', directory];
  const child = spawn(redisServer(), [...place, '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const closed = once(child, 'close').then(() => 'closed' as const);
  await once(child, 'spawn');
  const release = guard(child, directory);
  if ((await Promise.race([firstPong(port), closed])) === 'closed') {
    release();
    throw new PortTaken('redis-server ended before its first reply');
  }
  const end = async () => {
    child.kill('SIGKILL');
    await closed;
    release();
  };
  return { port, end };
}
