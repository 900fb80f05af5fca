import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Who runs on which cores, by their numbers. */
export interface Cores {
  readonly redis: readonly number[];
  /** What sends requests of HTTP. */
  readonly load: readonly number[];
  /** The processes that are measured. */
  readonly contestants: readonly number[];
}

/**
 * Redis and those who ask it each have cores of their own. Left to the system, two processes that wait for each other run
 * on one core now and on two then, where a lone check takes several times as long. Apart they are as on two machines.
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

/** Moves a process, with all of its threads. @throws where it cannot be moved, for a report says that it was */
export function pin(pid: number, cores: readonly number[]): void {
  const { status, stderr } = spawnSync('taskset', ['-acp', cores.join(), String(pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`process ${pid} cannot be moved to the cores ${cores.join()}: ${stderr}`);
}

export function allCores({ redis, load, contestants }: Cores): readonly number[] {
  return [...new Set([...redis, ...load, ...contestants])];
}

/** Those that this process may run on; none where nobody can be told where to run. */
export function allowedCores(): readonly number[] {
  if (process.platform !== 'linux' || spawnSync('taskset', ['-V']).status !== 0) return [];
  const [, list] = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (list === undefined) return [];
  return list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return Array.from({ length: to! - from! + 1 }, (_, index) => from! + index);
  });
}

/** Says it in the words of a report. */
export function placement(cores: Cores | undefined): string {
  if (!cores) return 'the system says who runs on which core';
  const of = (list: readonly number[]) => `${list.length > 1 ? 'cores' : 'core'} ${list.join(', ')}`;
  const { redis, load, contestants } = cores;
  return `Redis on ${of(redis)}, what sends HTTP on ${of(load)}, contestants on ${of(contestants)}`;
}
