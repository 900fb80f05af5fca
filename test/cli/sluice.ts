import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';
import { environment } from '../support/environment.js';
import { startProgram, type Program } from '../support/program.js';

export interface SluiceRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SluiceOptions {
  /** Added to PATH alone: no variable of this machine has an effect. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Of stdin. @default none */
  readonly input?: string | Buffer;
}

const main = join(root, 'packages', 'cli', 'dist', 'esm', 'main.js');

/** A process that runs the commands of this spec: to start one for each takes longer than most commands. */
let desk: Promise<Program> | undefined;
let last: Promise<unknown> = Promise.resolve();

afterAll(async () => (await desk)?.stop());

/**
 * Runs a command without a terminal, after those before it. As in any process, core warns of some things once, and a
 * configuration is imported once: `sluiceAlone` runs a second command with the same file.
 */
export async function sluice(args: readonly string[], options: SluiceOptions = {}): Promise<SluiceRun> {
  const { env = {}, cwd = root, input = '' } = options;
  desk ??= startProgram('test/cli/programs/desk.mjs', []);
  const request = { args, env: environment(env), cwd, input: Buffer.from(input).toString('base64') };
  const program = await desk;
  const run = last.then(() => program.request(request)) as Promise<SluiceRun>;
  last = run.catch(() => undefined);
  return run;
}

/** Runs the built command as users do, without a terminal, in a process of its own. */
export async function sluiceAlone(args: readonly string[], options: SluiceOptions = {}): Promise<SluiceRun> {
  const { env = {}, cwd = root, input = '' } = options;
  const child = spawn(process.execPath, [main, ...args], { cwd, env: environment(env) });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, stdout, stderr };
}

/** The document that a command prints with `--json`. */
export function documentOf({ stdout }: SluiceRun): Record<string, unknown> {
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Runs with a configuration that can import what an application imports. */
export async function withConfig<T>(code: string, run: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-config-'));
  const file = join(folder, 'sluice.config.mjs');
  const built = (name: string) => JSON.stringify(join(root, `packages/${name}/dist/esm/index.js`));
  const imports = `import { redisStore } from ${built('redis')};\nimport { balance, usage } from ${built('quotas')};`;
  await writeFile(file, `${imports}\n${code}\n`);
  try {
    return await run(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
