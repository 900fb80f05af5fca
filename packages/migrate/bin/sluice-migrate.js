#!/usr/bin/env node
// Not built, so that package managers link it before the first build of a clone.
await import('../dist/esm/main.js');
