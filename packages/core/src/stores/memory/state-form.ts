/** How a record holds a state. The form of a pair and of a ring is one less than their numbers. */
export const ABSENT = 0;
const PAIR = 1;
const RING = 2;
export const OBJECT = 3;
/** The bits of a form. */
export const FORM = 3;

export function formOf(state: unknown): number {
  if (!Array.isArray(state)) return OBJECT;
  if (state.length === 2) return PAIR;
  return state.length === 3 && isWord(state[1]) && isWord(state[2]) ? RING : OBJECT;
}

function isWord(number: number): boolean {
  return number >>> 0 === number;
}
