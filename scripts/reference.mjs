import { install } from './install.mjs';
import { run } from './run.mjs';

await install();
process.exitCode = await run(process.execPath, [
  '--import',
  './test/tools/typescript.mjs',
  'test/docs/write-references.ts',
]);
// As the linter wants it.
process.exitCode ||= await run('npx', [
  'oxfmt',
  'packages/policies/limits.schema.json',
  'packages/server/limits.schema.json',
  'packages/server/openapi.json',
  'packages/dashboard/openapi.json',
  'docs/reference',
]);
