import { createRequire } from 'node:module';
import { runProgram } from './program.js';

// `sluice keys | head` has read enough.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
await runProgram(version, process.argv.slice(2));
// A module of the application may have left a timer or a connection.
setTimeout(() => process.exit(), 500).unref();
