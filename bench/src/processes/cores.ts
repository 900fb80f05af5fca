import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The cores of each process, by number. */
export interface Cores {
  readonly redis: readonly number[];
  /** The load generator of HTTP. */
  readonly load: readonly number[];
  /** The processes that are measured. */
  readonly contestants: readonly number[];
}

/**
 * Redis and its clients run on cores of their own, as on two machines. Left to the system, two processes that wait for
 * each other share a core at times, and a lone check then takes 18 or 60 us.
 *
 * @returns undefined where there are too few cores, or where the system has no `taskset`
 */
export function coresOf(allowed: readonly number[] = allowedCores()): Cores | undefined {
  const [first, second, ...rest] = allowed;
  if (first === undefined || second === undefined) return undefined;
  return rest.length === 0
    ? { redis: [first], load: [first], contestants: [second] }
    : { redis: [first], load: [second], contestants: rest };
}

/** Moves a process with all of its threads. @throws when the process cannot be moved */
export function pin(pid: number, cores: readonly number[]): void {
  const { status, stderr } = spawnSync('taskset', ['-acp', cores.join(), String(pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`process ${pid} cannot be moved to the cores ${cores.join()}: ${stderr}`);
}

export function allCores({ redis, load, contestants }: Cores): readonly number[] {
  return [...new Set([...redis, ...load, ...contestants])];
}

/** The cores that this process may use. Empty on systems without `taskset`. */
export function allowedCores(): readonly number[] {
  if (process.platform !== 'linux' || spawnSync('taskset', ['-V']).status !== 0) return [];
  const [, list] = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (list === undefined) return [];
  return list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return Array.from({ length: to! - from! + 1 }, (_, index) => from! + index);
  });
}

/** The placement as text for a report. */
export function placement(cores: Cores | undefined): string {
  if (!cores) return 'the system places all processes';
  const of = (list: readonly number[]) => `${list.length > 1 ? 'cores' : 'core'} ${list.join(', ')}`;
  const { redis, load, contestants } = cores;
  return `Redis on ${of(redis)}, the HTTP load on ${of(load)}, contestants on ${of(contestants)}`;
}
