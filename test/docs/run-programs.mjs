import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { sources } from './sources.js';

// Package names resolve to the built packages of Sluice, also in imports between them.
const files = Object.entries(sources).map(([name, { module }]) => [name, pathToFileURL(module).href]);
register('./package-hooks.mjs', import.meta.url, { data: Object.fromEntries(files) });

// Runs programs one after the other. A line with NUL separates their outputs.
for (const path of process.argv.slice(2)) {
  await import(pathToFileURL(path).href);
  console.log('\0');
}
