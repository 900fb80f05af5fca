#!/usr/bin/env node
// Not built, so that package managers link it before the first build of a clone.
const { main } = await import('../dist/esm/program.js');
await main(process.argv.slice(2));
