import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';
import type { Subject } from './subjects.js';

/** Where a picture is kept. */
export function pictureOf({ name }: Subject): string {
  return join(root, 'docs', 'guide', 'images', `${name}.svg`);
}
