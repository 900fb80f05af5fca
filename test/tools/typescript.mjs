import { register } from 'node:module';

// Lets node run the TypeScript of this workspace as it stands: node --import ./test/tools/typescript.mjs <file>.ts
register('./typescript-hooks.mjs', import.meta.url);
