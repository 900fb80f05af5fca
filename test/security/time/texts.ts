/** The bytes that Node takes as the headers of a request. */
export const LENGTH = 16_384;

const fill = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Writes a text of a length. */
export type Writer = (length: number) => string;

/** Units that readers of text split at, skip or decode. */
const UNITS = [
  ' ', '\t', '\n', '\r', ',', ', ', ' ,\t', '.', ':', '::', ';', '; ', '[', ']', '[]', '(', '{', '}', '"', '""', "'", '\\', '\\"',
  '%', '%%', '%2', '%20', '%25', '%E0%A4', '%F0%9F%98%80', '+', '-', '=', '&', '&&', 'a=b;', 'a&', '/', '?', '#', '@', '<', '|',
  '0', '1', '9.', '1.', '1:', 'a', 'A', 'f', 'f:', '0:', '_', 'YWRh', 'eyJh.', '\u00e9', '\u0130', '\u200b', '\u{1f469}', '\ud83d',
  '\u0000', '\u001b', '127.0.0.1,', '::1,', '127.0.0.1, ', '203.0.113.7,', '::ffff:127.0.0.1,', 'for=127.0.0.1;', 'Bearer ', '$1 ',
  '{"a":', '"a":1,', 'key:', 'composed:', 'x y ', '1e', '1d', '- ', '"- ',
] as const; // prettier-ignore

/** Each unit alone, and as the middle of what begins and ends as a reader expects. */
const FRAMES: readonly (readonly [before: string, behind: string])[] = [
  ['', ''],
  ['a', 'b'],
  ['"', '"'],
  ['[', ']'],
  ['203.0.113.7', ''],
  ['', ', 203.0.113.7'],
  ['', ',127.0.0.1'],
  ['Bearer ', 'x'],
  ['application/json', 'x'],
  ['session=s:known', '.x'],
  ['composed:', ' ip:203.0.113.7'],
  ['203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] "GET /', ' HTTP/1.1" 200 5 "-" "-"'],
  ['203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5 "-" "', ''],
  ['{"time":1791640536000,"ip":"203.0.113.7","url":"', '"}'],
];

/** Fields with a name each. */
function manyNames(join: string, value: string): Writer {
  return (length) => {
    let text = '';
    for (let number = 0; text.length < length; number += 1) text += `${number.toString(36)}${value}${join}`;
    return text.slice(0, length);
  };
}

/** Texts that clients could send to make a reader slow, by name. */
export const TEXTS: readonly (readonly [name: string, write: Writer])[] = [
  ...UNITS.flatMap((unit) =>
    FRAMES.map(([before, behind]): readonly [string, Writer] => [
      `${before}${JSON.stringify(unit)}...${behind}`,
      (length) => before + fill(unit, length - before.length - behind.length) + behind,
    ]),
  ),
  ['names with &', manyNames('&', '=1')],
  ['names alone with &', manyNames('&', '')],
  ['names with ;', manyNames('; ', '=1')],
  ['names with ,', manyNames(',', '=1')],
  ['a session in every cookie', (length) => fill('a=known;', length)],
  ['a signed session in every cookie', (length) => fill('a=s%3Aknown%2Ex;', length)],
  ['nested JSON', (length) => `${fill('[', length / 2)}${fill(']', length / 2)}`],
  ['JSON with many names', (length) => `{${quoted(manyNames(',', '":1')(length)).slice(0, length - 12)}`],
];

function quoted(names: string): string {
  return names.replaceAll(/(^|,)(?=.)/g, '$1"');
}
