import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the workspace. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Whether node was started with this very file, rather than importing it.
 *
 * @param {string} url `import.meta.url` of the file that asks
 */
export function isMain(url) {
  return process.argv[1] === fileURLToPath(url);
}
