import { readFileSync } from 'node:fs';
import { startChild } from '../processes/child.js';
import type { AutocannonVerbs } from './autocannon-process.js';
import type { LoadGenerator } from './load.js';

/**
 * autocannon, in a process of its own.
 *
 * @param cores that it runs on
 */
export function autocannon(cores?: readonly number[]): LoadGenerator {
  const child = startChild<AutocannonVerbs>(new URL('autocannon-process.ts', import.meta.url), { cores });
  return {
    name: `autocannon ${version()}`,
    run: (...args) => child.call.run(...args),
    send: (...args) => child.call.send(...args),
    end: () => child.end(),
  };
}

function version(): string {
  const manifest = new URL('../../node_modules/autocannon/package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
