import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from './root.mjs';

/**
 * Copies the sources of the workspace into a new folder, and returns it: without dependencies, builds and history.
 *
 * @param {string} name the start of the name of the folder
 */
export function copyWorkspace(name) {
  const copy = mkdtempSync(join(tmpdir(), `sluice-${name}-`));
  const filter = (/** @type {string} */ path) => !['.git', 'dist', 'node_modules'].includes(basename(path));
  cpSync(root, copy, { recursive: true, filter });
  return copy;
}
