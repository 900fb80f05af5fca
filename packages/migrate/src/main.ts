import { createRequire } from 'node:module';
import { runProgram } from './program.js';

// `npx @sluice/migrate src/app.ts | head` has read enough.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
await runProgram(version, process.argv.slice(2));
