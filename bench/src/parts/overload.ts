import { sheddingEntrants } from '../http/inside/index.js';
import { smallTurns } from './small-turns.js';

/** What a shedder and a queue add to the CPU of a request in calm. */
export const overloadPart = smallTurns({
  part: 'overload',
  title: 'A shedder in calm',
  entrants: sheddingEntrants,
  // What is added is less than a hundredth.
  turns: 24,
});
