import { setTimeout as delay } from 'node:timers/promises';
import type { FleetProcess, RedisPolicies } from '@sluice/policies';
import { ExitCode } from '../failure/exit-code.js';
import { found } from '../failure/failure.js';
import { countOf } from '../terminal/figures.js';
import type { Terminal } from '../terminal/terminal.js';

/** Processes read Redis every six seconds at most. */
const PATIENCE_MS = 8_000;
const LOOK_MS = 200;

/** What became of a change in the processes. */
export interface Reached {
  readonly processes: number;
  /** Those that have it. */
  readonly current: number;
  /** Why others do not have it. */
  readonly problems: readonly string[];
}

/**
 * The processes that read the policies.
 *
 * @param first nothing runs yet, and that is right
 * @throws Failure without a process: a change would be in force nowhere
 */
export async function runningProcesses(
  policies: RedisPolicies,
  first: boolean | undefined,
): Promise<readonly FleetProcess[]> {
  const processes = await policies.processes();
  if (processes.length > 0 || first) return processes;
  throw found(
    `nothing was changed: no process has read the policies "${policies.name}" in this Redis within 15 seconds; if none runs yet, pass --first, and if they have another name, --name`,
  );
}

/** Waits until each process has a change, or says why not. */
export async function waitForProcesses(
  policies: RedisPolicies,
  has: (process: FleetProcess) => boolean,
  terminal: Terminal,
): Promise<Reached> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const processes = await policies.processes();
    const others = processes.filter((each) => !has(each));
    const problems = [...new Set(others.flatMap(({ problem }) => problem ?? []))];
    const isOver = others.every(({ problem }) => problem !== undefined);
    const current = processes.length - others.length;
    if (isOver || performance.now() > giveUpAt) return { processes: processes.length, current, problems };
    terminal.progress(`${current} of ${processes.length} processes`);
    await delay(LOOK_MS);
  }
}

/** `6 of 6 processes in 4.1 s`. @param started by the monotonic clock */
export function reachedText({ processes, current }: Reached, started: number): string {
  const seconds = ((performance.now() - started) / 1e3).toFixed(1);
  return `${current} of ${countOf(processes, 'process', 'processes')} in ${seconds} s`;
}

export function printProblems(terminal: Terminal, { problems }: Reached): void {
  for (const problem of problems) terminal.print(`refused: ${problem}`);
}

export function exitCodeOf({ processes, current }: Reached): ExitCode {
  return current === processes ? ExitCode.fine : ExitCode.found;
}
