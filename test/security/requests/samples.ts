/** Part of every identity that a test invents, so that a leak is found. */
export const MARK = 'mallory';

/** Texts with a meaning in JavaScript or Redis, and in nothing of ours. */
export const TRICKY = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'rl:{x}:hostile'];

/** Texts with a meaning in Redis, in JavaScript, or to code that joins or splits texts. */
export const texts = [
  ...TRICKY,
  ...wordsOf(`
    {MARK} {}MARK }MARK{ {{MARK}} MARK:hostile MARK:hostile:fw MARK,MARK MARK;MARK MARK=MARK MARK" 'MARK' MARK%
    MARK%00 MARK* MARK? MARK[a-z] 7:MARK 1:MARK7:MARK {"kind":"ip","parts":["127.0.0.1"]} 2:ip9:127.0.0.1 127.0.0.1
    unknown undefined null true 0 -1 NaN
  `).map((text) => text.replaceAll('MARK', MARK)),
  MARK,
  MARK.toUpperCase(),
  `${MARK} ${MARK}`,
  `${MARK}  ${MARK}`,
  `${MARK}\t${MARK}`,
  `${MARK}\\`,
  `${MARK}\\n`,
  `${MARK}$`,
  `\${${MARK}}`,
  '[object Object]',
  'x'.repeat(511),
  'x'.repeat(512),
  // Bytes: an emoji, one letter in two encodings, and in two forms of one encoding.
  '\u00f0\u009f\u0090\u00b4',
  '\u00fc',
  '\u00c3\u00bc',
  'u\u00cc\u0088',
];

/** Texts that JSON can hold and a header cannot. */
export const unwritable = [
  '\u0000',
  `${MARK}\u0000`,
  `\u0000${MARK}`,
  `${MARK}\n`,
  `${MARK}\r\n${MARK}`,
  ' ',
  '  ',
  `${MARK} `,
  ` ${MARK}`,
  '\u{1f434}',
  '\ud83d',
  '\udc34',
  '\ud83d\ud83d',
  '\ufffd',
  `${MARK}\ud83d`,
  `${MARK}\udc34`,
  '["\\ud83d"]',
  '\u2028',
  '\u200b',
  '\ufeff',
];

/** Too long for an identity. */
export const tooLong = ['x'.repeat(513), MARK.repeat(1_000), 'x'.repeat(10_240)];

/** Values in the place of text. */
export const notTexts: readonly unknown[] = [
  null,
  true,
  5.5,
  1e300,
  [],
  [MARK],
  [MARK, MARK],
  {},
  { [MARK]: MARK },
  { toString: MARK },
  { length: 1 },
];

/** The words of a text, which spaces and line breaks separate. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
