import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

// Runs commands of `sluice` one after the other, each with an environment, a folder and streams of its own.

/** @typedef {{ args: string[], env: NodeJS.ProcessEnv, cwd: string, input: string }} Request */

// Built: the compiler has no types of it.
const { runProgram } = await import(new URL('../../../packages/cli/dist/esm/program.js', import.meta.url).href);
const { version } = createRequire(import.meta.url)('../../../packages/cli/package.json');
let last = Promise.resolve();

process.on('message', (/** @type {Request} */ request) => {
  last = last.then(async () => void process.send?.(await run(request)));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

/** @param {Request} request */
async function run({ args, env, cwd, input }) {
  const written = { stdout: '', stderr: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    process[name].write = (/** @type {unknown} */ chunk) => {
      written[name] += String(chunk);
      return true;
    };
  }
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input, 'base64')]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = undefined;
  await runProgram(version, args);
  // A process would tell its warnings before it ends.
  await turn();
  process.removeAllListeners('SIGINT');
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  return { code, ...written };
}
