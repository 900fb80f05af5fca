import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { showTime } from '@sluice/metrics/operations';
import { usage, type Failure } from '../failure/failure.js';

/** The last module of the application that was imported: its code may fail later, in a timer. */
let imported: string | undefined;

/**
 * Imports a module of the application.
 *
 * @param name as the user knows the file: `--limits tiers.mjs`
 * @param timeout milliseconds, because a module may wait for a server that never answers
 * @throws Failure that names the file, for a module that fails or does not end
 */
export async function importedModule<T>(
  file: string,
  { name = file, timeout }: { readonly name?: string; readonly timeout: number },
): Promise<T> {
  imported = name;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const rule = `its import has not ended within ${showTime(timeout)}: export the store without a wait, or raise --timeout`;
    timer = setTimeout(() => reject(usage(`${name}: ${rule}`)), timeout);
  });
  try {
    return await Promise.race([importOf<T>(file, name), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function importOf<T>(file: string, name: string): Promise<T> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as T;
  } catch (error) {
    throw notImported(name, error);
  }
}

/** What is wrong with a module of the application, in one line: a stack says nothing to its user. */
export function notImported(name: string, error: unknown): Failure {
  return usage(`${name} cannot be imported: ${firstLine(error)}`);
}

/** The failure of code that no command waits for. Undefined where no module of the application was imported. */
export function strayFailure(error: unknown): Failure | undefined {
  return imported === undefined ? undefined : usage(`${imported}: its code has failed: ${firstLine(error)}`);
}

/** Modules throw anything, and some errors begin with an empty line. */
function firstLine(error: unknown): string {
  const { message } = Object(error) as Partial<Error>;
  const lines = (typeof message === 'string' && message !== '' ? message : String(error)).split('\n');
  return lines.find((line) => line.trim() !== '')?.trim() ?? 'without a message';
}
