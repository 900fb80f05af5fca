import { install } from './install.mjs';
import { run } from './run.mjs';

await install();
process.exitCode = await run(process.execPath, [
  '--import',
  './test/tools/typescript.mjs',
  'test/docs/write-references.ts',
]);
