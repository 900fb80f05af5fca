import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';
import type { Subject } from './subjects.js';

/** The path of a picture. */
export function pictureOf({ name }: Subject): string {
  return join(root, 'docs', 'guide', 'images', `${name}.svg`);
}
