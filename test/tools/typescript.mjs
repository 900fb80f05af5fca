import { createRequire, register } from 'node:module';

// Lets node run the TypeScript of this workspace as it stands: node --import ./test/tools/typescript.mjs <file>.ts
register('./typescript-hooks.mjs', import.meta.url);

// The published files are CommonJS, where core finds it.
globalThis.require = createRequire(new URL('../../packages/redis/package.json', import.meta.url));
