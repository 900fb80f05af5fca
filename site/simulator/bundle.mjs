import { join } from 'node:path';
import { isMain, root } from '../../scripts/root.mjs';

const folder = join(root, 'site', 'simulator');
const standIns = join(folder, 'node-stand-ins.ts');

/**
 * The text of a module of this folder for browsers, with all that it imports: the sources of the packages, not a copy.
 *
 * @param {'simulator' | 'moving-picture'} name
 */
export async function bundleForBrowser(name) {
  // Only an installed workspace has the bundler.
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: join(folder, `${name}.ts`),
    platform: 'browser',
    resolve: {
      alias: { 'node:crypto': standIns, 'node:diagnostics_channel': standIns, 'node:net': standIns },
    },
    transform: {
      target: 'es2022',
      inject: {
        Buffer: [standIns, 'Buffer'],
        process: [standIns, 'process'],
        setImmediate: [standIns, 'setImmediate'],
      },
    },
    // What a run does not call is left out, or is not there.
    shimMissingExports: true,
    onLog: (level, log, report) => log.code !== 'SHIMMED_EXPORT' && report(level, log),
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await build.generate({ format: 'esm', minify: true, comments: false });
  await build.close();
  return output[0].code;
}

if (isMain(import.meta.url)) console.log(await bundleForBrowser('simulator'));
