import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CONNECTIONS } from './http-contestant.js';
import type { Load, LoadGenerator } from './load.js';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** Milliseconds until wrk surely handles interrupts. */
const PATIENCE = 1_000;

/**
 * wrk, where it is installed. It uses less CPU than a generator in Node.
 *
 * @param cores that it runs on
 */
export function wrk(cores?: readonly number[]): LoadGenerator | undefined {
  const version = /wrk \S+/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[0];
  if (version === undefined) return undefined;
  const command = cores ? ['taskset', '-c', cores.join(), 'wrk'] : ['wrk'];
  return { name: version, run: (url, time) => run(command, url, time), end: () => Promise.resolve() };
}

async function run(command: readonly string[], url: string, milliseconds: number): Promise<Load> {
  // wrk takes whole seconds only. If it misses the interrupt below, it ends by itself soon after.
  const longest = `${Math.ceil(milliseconds / 1e3) + 1}s`;
  const [program, ...before] = command;
  const args = ['-t', '1', '-c', String(CONNECTIONS), '-d', longest, '-s', SCRIPT, url];
  const child = spawn(program!, [...before, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const begun = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('BEGUN')) resolve();
    });
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  const closed = once(child, 'close');
  await begun;
  await delay(milliseconds);
  // An interrupted wrk reports its results so far.
  child.kill('SIGINT');
  await closed;
  const found = /RESULT (\d+) (\d+) (\d+) (\S+) (\S+)/.exec(output);
  if (found) {
    const [answered = 0, refused = 0, duration = 0, p50 = 0, p99 = 0] = found.slice(1).map(Number);
    return { answered, refused, seconds: duration / 1e6, p50, p99 };
  }
  // wrk handles interrupts a moment after its start.
  if (milliseconds < PATIENCE) return run(command, url, milliseconds * 2);
  throw new Error(`wrk has printed no result: ${output}`);
}
