import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CONNECTIONS } from './http-contestant.js';
import type { Load, LoadGenerator } from './load.js';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** Milliseconds until wrk surely handles interrupts. */
const PATIENCE = 1_000;
/** Seconds that a number of requests may take. */
const LONGEST = 30;

/**
 * wrk, where it is installed. It uses less CPU than a generator in Node.
 *
 * @param cores that it runs on
 */
export function wrk(cores?: readonly number[]): LoadGenerator | undefined {
  const version = /wrk \S+/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[0];
  if (version === undefined) return undefined;
  const command = cores ? ['taskset', '-c', cores.join(), 'wrk'] : ['wrk'];
  return {
    name: version,
    run: (url, time) => run(command, url, time),
    send: (url, requests) => send(command, url, requests),
    end: () => Promise.resolve(),
  };
}

async function run(command: readonly string[], url: string, milliseconds: number): Promise<Load> {
  // wrk takes whole seconds only. If it misses the interrupt below, it ends by itself soon after.
  const running = start(command, Math.ceil(milliseconds / 1e3) + 1, [url]);
  await running.saying('BEGUN');
  await delay(milliseconds);
  const load = await running.end();
  if (load) return load;
  // wrk handles interrupts a moment after its start.
  if (milliseconds < PATIENCE) return run(command, url, milliseconds * 2);
  throw new Error(`wrk has printed no result: ${running.output()}`);
}

/** wrk says when all requests are sent. The last of each connection are not answered then. */
async function send(command: readonly string[], url: string, requests: number) {
  const running = start(command, LONGEST, [url, '--', String(requests)]);
  await running.saying('BEGUN');
  const began = performance.now();
  await running.saying('SENT');
  const seconds = (performance.now() - began) / 1e3;
  // An earlier interrupt would find it starting.
  await delay(Math.max(0, PATIENCE / 4 - seconds * 1e3));
  const load = await running.end();
  if (!load) throw new Error(`wrk has printed no result: ${running.output()}`);
  return { answered: requests, refused: load.refused, seconds };
}

function start(command: readonly string[], seconds: number, target: readonly string[]) {
  const [program, ...before] = command;
  const args = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '-s', SCRIPT, ...target];
  const child = spawn(program!, [...before, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close');
  return {
    output: () => output,
    /** Resolves when it has written a word, or when it ends. */
    saying: (word: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => output.includes(word) && resolve();
        look();
        child.stdout.on('data', look);
        child.once('error', reject);
        child.once('close', () => resolve());
      }),
    /** Interrupts it: it reports its results so far. */
    async end(): Promise<Load | undefined> {
      child.kill('SIGINT');
      await closed;
      const found = /RESULT (\d+) (\d+) (\d+) (\S+) (\S+)/.exec(output);
      if (!found) return undefined;
      const [answered = 0, refused = 0, duration = 0, p50 = 0, p99 = 0] = found.slice(1).map(Number);
      return { answered, refused, seconds: duration / 1e6, p50, p99 };
    },
  };
}
