import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import type { Support } from './page.js';
import { peers } from './peers.js';
import { readResults } from './results.js';
import { rows } from './rows.js';

/** What the page of this workspace shows. */
export function support(): Support {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  return { node: engines.node, peers: peers(), rows, results: readResults() };
}
