import { scripts } from '@sluice/redis';
import { fine, warning, type Finding } from './finding.js';
import { plural } from '../../terminal/plural.js';
import type { Server } from './server.js';

const DIGESTS = new Set(Object.values(scripts).flatMap(({ sha, packed }) => [sha, ...(packed ? [packed.sha] : [])]));
const MAX_ENTRIES = 128;
/** The key of a limiter, which scripts made for its tiers are known by. */
const STATE_KEY = /:\{[\w-]{22}\}:/;

/** How many of the scripts the server has. One that is missing is sent by its text when it is first needed. */
export async function checkScripts(server: Server): Promise<Finding> {
  const known = (await server.ask('SCRIPT', 'EXISTS', ...DIGESTS)) as number[];
  const count = known.filter((exists) => exists === 1).length;
  return fine('scripts', `${count} of ${known.length} scripts are loaded; others are sent when they are needed`);
}

/** Calls of the slow log that made limiters wait: those of a limiter, and those of other programs. */
export async function checkSlowLog(server: Server, deadline: number): Promise<Finding> {
  const entries = (await server.ask('SLOWLOG', 'GET', MAX_ENTRIES)) as readonly SlowEntry[];
  const slow = entries.filter(([, , microseconds]) => microseconds > deadline * 500);
  if (slow.length === 0) return fine('slow-log', `no command took longer than ${deadline / 2} ms`);
  const own = slow.filter(([, , , args]) => DIGESTS.has(String(args[1])) || STATE_KEY.test(String(args[3]))).length;
  const [slowest] = slow.toSorted((one, other) => other[2] - one[2]);
  const [, , microseconds, [command = '']] = slowest!;
  const text = `${plural(slow.length, 'command')} took longer than ${deadline / 2} ms, ${own} of them of limiters; the slowest, ${command.toUpperCase()}, took ${(microseconds / 1e3).toFixed(0)} ms`;
  const remedy =
    own < slow.length ? 'a Redis for limiters alone; redis-cli SLOWLOG GET' : 'redis-cli SLOWLOG GET; a faster machine';
  return warning('slow-log', text, remedy);
}

/** Number, time, microseconds, command with its arguments. */
type SlowEntry = readonly [number, number, number, readonly string[]];
