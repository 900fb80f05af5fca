const DIGIT = /\p{Nd}/u;
const DIGITS = /\p{Nd}/gu;

/** The digits of a text, in the order of the text, as 0 to 9: `+٤٩ (30) 1` has 49301. */
export function digitsIn(text: string): string {
  return (text.normalize('NFKC').match(DIGITS) ?? []).map(valueOf).join('');
}

/** Unicode has the ten digits of each script in a row, from 0 to 9. Two such rows may be neighbours. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}
