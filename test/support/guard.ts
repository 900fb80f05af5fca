import { spawn, type ChildProcess } from 'node:child_process';

// `read` fails when the pipe closes, and it closes however the process at its other end comes to die.
const watch = 'read -r answer || { kill -9 "$0"; rm -rf "$1"; }';

/**
 * Kills a process and removes its folder when this process ends without having done so, be it by a signal that leaves
 * no time for it. Returns what lifts the guard.
 */
export function guard(child: ChildProcess, directory: string): () => void {
  const shell = spawn('sh', ['-c', watch, String(child.pid), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Out of reach of a Ctrl-C, which goes to the whole group.
    detached: true,
  });
  shell.unref();
  return () => shell.stdin.end('done\n');
}
