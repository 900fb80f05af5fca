import { existsSync } from 'node:fs';
import type { Store } from '@sluice/core';
import { usage } from '../failure/failure.js';
import { importedModule, notImported } from './imported-module.js';

/** The files that are read without `--config`, the first that exists. */
const CONFIG_FILES = ['sluice.config.js', 'sluice.config.mjs'];

/** Policies that a configuration opens read it: a command is not a process of the fleet. */
const COMMAND = Symbol.for('sluice.command.1');

const EXAMPLE = [
  "  import { redisStore } from '@sluice/redis';",
  "  import { createLimits } from './limits.js';",
  '  export const store = redisStore({ url: process.env.REDIS_URL });',
  '  export const limits = createLimits(store);',
];

interface Exports {
  readonly store?: unknown;
  readonly default?: unknown;
}

/** A module of the application that defines its limits, and starts no server. */
export interface Config {
  /** The store of its limiters. */
  readonly store: Store;
  /** Everything that the module exports: a limiter without a reference would be collected. */
  readonly exports: object;
}

/**
 * Imports the configuration. Undefined without a file.
 *
 * @param path of `--config`
 * @param timeout milliseconds that the import may take
 * @throws Failure for a file that is missing, fails, does not end or exports no store
 */
export async function loadConfig(path: string | undefined, timeout: number): Promise<Config | undefined> {
  const file = path ?? CONFIG_FILES.find((name) => existsSync(name));
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw usage(`--config ${file}: there is no such file`);
  Object.assign(globalThis, { [COMMAND]: true });
  const exports = await importedModule<Exports>(file, { timeout });
  const { store } = exportsOf(file, exports);
  if (isStore(store)) return { store, exports };
  throw usage(`${file} must export the store of the limiters, such as`, ...EXAMPLE);
}

/** The named exports, and those of a default export. @throws Failure for one whose reading fails */
function exportsOf(file: string, exports: Exports): Exports {
  try {
    return { ...(Object(exports.default) as Exports), ...exports };
  } catch (error) {
    throw notImported(file, error);
  }
}

function isStore(value: unknown): value is Store {
  const { consume, peek, reset } = Object(value) as Partial<Store>;
  return [consume, peek, reset].every((method) => typeof method === 'function');
}
