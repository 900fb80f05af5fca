import * as node from 'node:child_process';
import { promisify } from 'node:util';
import { guard } from './guard.js';

// Programs of specs, which end with the process that has started them, however it ends: a program that a killed jest left
// behind has kept a core busy for hours.

/** Only a program that hangs takes as long: its output then says more than the timeout of its test. Milliseconds. */
export const HANG_MS = 200_000;

/** As `spawn` of Node. */
export const spawn = ((...args: Parameters<typeof node.spawn>) => guarded(node.spawn(...args))) as typeof node.spawn;

/** As `fork` of Node. */
export const fork = ((...args: Parameters<typeof node.fork>) => guarded(node.fork(...args))) as typeof node.fork;

/** As `execFile` of Node: resolves with what the program has printed. */
export const execute = ((...args: Parameters<typeof execFile>) => {
  const running = execFile(...args);
  guarded(running.child);
  return running;
}) as typeof node.execFile.__promisify__;

/** A program and all programs that it starts, such as `npm start`: `process.kill(-pid)` reaches all of them. */
export function spawnGroup(command: string, args: readonly string[], options: node.SpawnOptions): node.ChildProcess {
  const child = node.spawn(command, args, { ...options, detached: true });
  // The group has the number of its first process.
  if (child.pid !== undefined) child.once('exit', guard({ pid: -child.pid }));
  return child;
}

const execFile = promisify(node.execFile);

function guarded<T extends node.ChildProcess>(child: T): T {
  // A program that could not be started has none.
  if (child.pid !== undefined) child.once('exit', guard(child));
  return child;
}
