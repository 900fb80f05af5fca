import { LuaError } from './values.js';

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The texts in parentheses, or the whole match without any. */
  readonly captures: readonly string[];
}

/** The members of a set of JavaScript. */
const CLASSES: Readonly<Record<string, string>> = {
  a: 'A-Za-z',
  d: '0-9',
  l: 'a-z',
  s: ' \\t\\n\\v\\f\\r',
  u: 'A-Z',
  w: 'A-Za-z0-9',
  x: 'A-Fa-f0-9',
  p: '!-\\/:-@\\[-`{-~',
};
const REPEATS: Readonly<Record<string, string>> = { '*': '*', '+': '+', '-': '*?', '?': '?' };
const known = new Map<string, RegExp>();

/** Finds a pattern of Lua 5.1, without `%b`, `%f` and captures of positions. @param init where the search begins, from 0 */
export function findPattern(text: string, source: string, init = 0): Match | undefined {
  let expression = known.get(source);
  if (expression === undefined) known.set(source, (expression = expressionOf(source)));
  expression.lastIndex = init;
  const match = expression.exec(text);
  if (match === null) return undefined;
  return {
    start: match.index,
    end: match.index + match[0].length,
    captures: match.length > 1 ? match.slice(1) : [match[0]],
  };
}

/** Both languages match by backtracking, and a character repeats as often as it can. */
function expressionOf(source: string): RegExp {
  const isAtStart = source.startsWith('^');
  const isAtEnd = source.endsWith('$') && !source.endsWith('%$');
  const end = isAtEnd ? source.length - 1 : source.length;
  let text = '';
  for (let at = isAtStart ? 1 : 0; at < end;) {
    const character = source[at]!;
    if (character === '(' || character === ')') {
      text += character;
      at += 1;
      continue;
    }
    const [item, after] = itemAt(source, at);
    const repeat = after < end ? REPEATS[source[after]!] : undefined;
    text += item + (repeat ?? '');
    at = repeat === undefined ? after : after + 1;
  }
  // A sticky expression begins where the search begins.
  return new RegExp(isAtEnd ? `${text}$` : text, isAtStart ? 'sy' : 'sg');
}

/** The character, class or set that begins there, and where it ends. */
function itemAt(source: string, at: number): readonly [item: string, end: number] {
  const character = source[at]!;
  if (character === '.') return ['.', at + 1];
  if (character === '%') return [classOf(source[at + 1]!), at + 2];
  return character === '[' ? setAt(source, at) : [escaped(character), at + 1];
}

function setAt(source: string, at: number): readonly [set: string, end: number] {
  const isNegated = source[at + 1] === '^';
  let text = '';
  let place = isNegated ? at + 2 : at + 1;
  for (let isFirst = true; isFirst || source[place] !== ']'; isFirst = false) {
    if (place >= source.length) throw new LuaError('malformed pattern (missing "]")');
    if (source[place] === '%') {
      text += membersOf(source[place + 1]!);
      place += 2;
    } else if (source[place + 1] === '-' && source[place + 2] !== ']') {
      text += `${escaped(source[place]!)}-${escaped(source[place + 2]!)}`;
      place += 3;
    } else {
      text += escaped(source[place]!);
      place += 1;
    }
  }
  return [`[${isNegated ? '^' : ''}${text}]`, place + 1];
}

function classOf(letter: string): string {
  const members = CLASSES[letter.toLowerCase()];
  if (members === undefined) return escaped(letter);
  return letter === letter.toLowerCase() ? `[${members}]` : `[^${members}]`;
}

function membersOf(letter: string): string {
  if (CLASSES[letter.toLowerCase()] === undefined) return escaped(letter);
  const members = CLASSES[letter];
  if (members === undefined) throw new SyntaxError(`a script has %${letter} in a set`);
  return members;
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}
