import { LuaError } from './values.js';

/** A class of characters: `%d`, `[%d.e+-]`, `.`, or a character. */
type Matches = (code: number) => boolean;

interface Item {
  readonly kind: 'one' | 'open' | 'close';
  readonly matches: Matches;
  readonly repeat: '' | '*' | '+' | '-' | '?';
}

interface Pattern {
  readonly items: readonly Item[];
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
}

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The texts in parentheses, or the whole match without any. */
  readonly captures: readonly string[];
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  d: /\d/,
  l: /[a-z]/,
  s: /[ \t\n\v\f\r]/,
  u: /[A-Z]/,
  w: /[A-Za-z\d]/,
  x: /[A-Fa-f\d]/,
  p: /[!-/:-@[-`{-~]/,
};
const known = new Map<string, Pattern>();

/** Finds a pattern of Lua 5.1, without `%b`, `%f` and captures of positions. @param init where the search begins, from 0 */
export function findPattern(text: string, source: string, init = 0): Match | undefined {
  const pattern = known.get(source) ?? parse(source);
  known.set(source, pattern);
  const last = pattern.isAtStart ? init : text.length;
  for (let start = init; start <= last; start += 1) {
    const bounds: [number, number][] = [];
    const end = matchFrom(text, pattern, { at: start, item: 0, bounds, open: [] });
    if (end === undefined) continue;
    const captures = bounds.length === 0 ? [text.slice(start, end)] : bounds.map(([from, to]) => text.slice(from, to));
    return { start, end, captures };
  }
  return undefined;
}

interface State {
  readonly at: number;
  readonly item: number;
  readonly bounds: [number, number][];
  readonly open: readonly number[];
}

function matchFrom(text: string, pattern: Pattern, state: State): number | undefined {
  const { items, isAtEnd } = pattern;
  const { at, item: index, bounds, open } = state;
  const item = items[index];
  if (item === undefined) return isAtEnd && at !== text.length ? undefined : at;
  const next = (to: number) => matchFrom(text, pattern, { ...state, at: to, item: index + 1 });
  if (item.kind === 'open') {
    bounds.push([at, -1]);
    const end = matchFrom(text, pattern, { at, item: index + 1, bounds, open: [...open, bounds.length - 1] });
    if (end === undefined) bounds.pop();
    return end;
  }
  if (item.kind === 'close') {
    bounds[open.at(-1)!]![1] = at;
    return matchFrom(text, pattern, { at, item: index + 1, bounds, open: open.slice(0, -1) });
  }
  const fits = (place: number) => place < text.length && item.matches(text.charCodeAt(place));
  if (item.repeat === '') return fits(at) ? next(at + 1) : undefined;
  if (item.repeat === '?') return (fits(at) ? next(at + 1) : undefined) ?? next(at);
  if (item.repeat === '-') {
    for (let to = at; ; to += 1) {
      const end = next(to);
      if (end !== undefined || !fits(to)) return end;
    }
  }
  const least = item.repeat === '+' ? at + 1 : at;
  let most = at;
  while (fits(most)) most += 1;
  for (let to = most; to >= least; to -= 1) {
    const end = next(to);
    if (end !== undefined) return end;
  }
  return undefined;
}

function parse(source: string): Pattern {
  const isAtStart = source.startsWith('^');
  const isAtEnd = source.endsWith('$') && !source.endsWith('%$');
  const items: Item[] = [];
  const end = isAtEnd ? source.length - 1 : source.length;
  for (let at = isAtStart ? 1 : 0; at < end;) {
    const character = source[at]!;
    if (character === '(' || character === ')') {
      items.push({ kind: character === '(' ? 'open' : 'close', matches: () => true, repeat: '' });
      at += 1;
      continue;
    }
    const [matches, after] = classAt(source, at);
    const repeat = '*+-?'.includes(source[after] ?? ' ') && after < end ? (source[after] as Item['repeat']) : '';
    items.push({ kind: 'one', matches, repeat });
    at = after + repeat.length;
  }
  return { items, isAtStart, isAtEnd };
}

/** The class that begins there, and where it ends. */
function classAt(source: string, at: number): readonly [Matches, number] {
  const character = source[at]!;
  if (character === '.') return [() => true, at + 1];
  if (character === '%') return [escaped(source[at + 1]!), at + 2];
  if (character !== '[') return [(code) => code === source.charCodeAt(at), at + 1];
  const isNegated = source[at + 1] === '^';
  const parts: Matches[] = [];
  let place = isNegated ? at + 2 : at + 1;
  for (let isFirst = true; isFirst || source[place] !== ']'; isFirst = false) {
    if (place >= source.length) throw new LuaError('malformed pattern (missing "]")');
    if (source[place] === '%') {
      parts.push(escaped(source[place + 1]!));
      place += 2;
    } else if (source[place + 1] === '-' && source[place + 2] !== ']') {
      const [from, to] = [source.charCodeAt(place), source.charCodeAt(place + 2)];
      parts.push((code) => code >= from && code <= to);
      place += 3;
    } else {
      const only = source.charCodeAt(place);
      parts.push((code) => code === only);
      place += 1;
    }
  }
  return [(code) => parts.some((part) => part(code)) !== isNegated, place + 1];
}

function escaped(letter: string): Matches {
  const expression = CLASSES[letter.toLowerCase()];
  if (expression === undefined) return (code) => code === letter.charCodeAt(0);
  const isNegated = letter !== letter.toLowerCase();
  return (code) => expression.test(String.fromCharCode(code)) !== isNegated;
}
