import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';

const MAINS = new Map([
  ['express', 'express-api/main.js'],
  ['fastify', 'fastify-api/main.js'],
  ['nest', 'nest-api/dist/main.js'],
  ['hono', 'hono-api/main.js'],
]);

const [name = 'express'] = process.argv.slice(2);
const main = MAINS.get(name);
if (main === undefined) {
  console.error(`npm start knows the examples ${[...MAINS.keys()].join(', ')}, and not ${name}.`);
  process.exit(1);
}

await install();
const code = await build();
if (code !== 0) process.exit(code);

// In this process, so that signals and the exit code are the example's own.
await import(pathToFileURL(join(root, 'examples', main)).href);
