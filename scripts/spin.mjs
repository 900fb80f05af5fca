import { join } from 'node:path';
import { programFolder } from './debian-programs.mjs';
import { onPath } from './on-path.mjs';
import { isMain } from './root.mjs';

const programs = ['spin'];

export const spinAdvice =
  'npm run tool -- models needs the program spin and a C compiler: install the packages spin and gcc, or set SLUICE_SPIN to the folder of spin.';

/**
 * The checker of models and the compiler that it needs. Undefined on a system without them.
 *
 * @returns {{ spin: string, compiler: string } | undefined}
 */
export function spinTools() {
  // Spin runs the preprocessor of gcc by this name.
  const compiler = onPath('gcc');
  if (compiler === undefined) return undefined;
  const folder = programFolder({
    name: 'spin',
    variable: 'SLUICE_SPIN',
    programs,
    packages: programs,
    folder: 'usr/bin',
  });
  return folder === undefined ? undefined : { spin: join(folder, 'spin'), compiler };
}

if (isMain(import.meta.url)) console.log(spinTools()?.spin ?? spinAdvice);
