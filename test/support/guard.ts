import { spawn, type ChildProcess } from 'node:child_process';

// `read` fails when the pipe closes, which happens however the other process ends.
const watch = 'read -r answer || { kill -9 "$0"; [ -z "$1" ] || rm -rf "$1"; }';

/**
 * Kills a process, and removes its folder if it has one, when this process ends without doing so, even by a signal that leaves
 * no time. Returns a function that ends the guard.
 */
export function guard(child: Pick<ChildProcess, 'pid'>, directory = ''): () => void {
  const shell = spawn('sh', ['-c', watch, String(child.pid), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In another process group, so that Ctrl-C does not reach it.
    detached: true,
  });
  shell.unref();
  return () => shell.stdin.end('done\n');
}
