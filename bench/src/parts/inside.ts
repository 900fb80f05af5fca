import { insideEntrants } from '../http/inside/index.js';
import { smallTurns } from './small-turns.js';

/** What each part of a limit in memory adds to the CPU of a request. */
export const insidePart = smallTurns({
  part: 'inside',
  title: 'Inside a request',
  entrants: insideEntrants,
  turns: 12,
});
