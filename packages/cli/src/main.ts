import { createRequire } from 'node:module';
import { CommanderError } from 'commander';
import { ExitCode } from './exit-code.js';
import { createProgram } from './program.js';

// `sluice keys | head` has read enough.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
try {
  await createProgram(version).parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Help and version end well. All others are wrong command lines.
  process.exitCode = error.exitCode === 0 ? ExitCode.fine : ExitCode.usage;
}
