import type { Policy } from '@sluice/core/internal';
import { bucketPace, logPace, windowPace } from './even-pace.js';
import type { Pace } from './pace.js';
import { turnedPace } from './turned-pace.js';

const paces: readonly Pace[] = [bucketPace, windowPace, logPace, turnedPace];

/** How the line of a policy moves. Undefined for a limit that has no line. */
export function paceOf({ algorithm }: Pick<Policy, 'algorithm'>): Pace | undefined {
  return paces.find(({ twins }) => twins.includes(algorithm.twin));
}
