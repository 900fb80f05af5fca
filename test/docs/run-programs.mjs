import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { sources } from './sources.js';

// The names of packages stand for our sources, also where one of our packages imports another.
const files = Object.entries(sources).map(([name, { module }]) => [name, pathToFileURL(module).href]);
register('./package-hooks.mjs', import.meta.url, { data: Object.fromEntries(files) });

// Runs programs one after the other, and says between them where one ends.
for (const path of process.argv.slice(2)) {
  await import(pathToFileURL(path).href);
  console.log('\0');
}
