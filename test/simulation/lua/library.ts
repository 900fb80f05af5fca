import { findPattern } from './pattern.js';
import { pack, unpack as unpackStruct } from './struct.js';
import { formatG, LuaError, LuaTable, toNumber, toText, typeName, type LuaFunction, type LuaValue } from './values.js';

function number(value: LuaValue): number {
  const found = toNumber(value);
  if (found === undefined) throw new LuaError(`bad argument (number expected, got ${typeName(value)})`);
  return found;
}

function text(value: LuaValue): string {
  if (typeof value === 'string' || typeof value === 'number') return toText(value);
  throw new LuaError(`bad argument (string expected, got ${typeName(value)})`);
}

/** A position as Lua counts it, where negative ones count from the end. */
function positionIn(value: string, position: number): number {
  return position < 0 ? Math.max(value.length + position + 1, 0) : position;
}

function sub(value: LuaValue, from: LuaValue = 1, to: LuaValue = -1): string {
  const whole = text(value);
  const first = Math.max(1, positionIn(whole, number(from)));
  return whole.slice(first - 1, Math.max(first - 1, positionIn(whole, number(to))));
}

/** Writes the next value. */
type Piece = (value: LuaValue) => string;

/** The pieces of formats, and the texts before, between and behind them. */
const formats = new Map<string, { readonly pieces: readonly Piece[]; readonly texts: readonly string[] }>();

function format(pattern: LuaValue, ...values: LuaValue[]): string {
  const source = text(pattern);
  const { pieces, texts } = formats.get(source) ?? parseFormat(source);
  let written = texts[0]!;
  for (const [place, piece] of pieces.entries()) written += piece(values[place]) + texts[place + 1]!;
  return written;
}

function parseFormat(source: string) {
  if (source.includes('%%')) throw new SyntaxError(`a script has the format ${source}`);
  const texts = source.split(/%(?:\.\d+)?[sdfg]/);
  const pieces = Array.from(source.matchAll(/%(\.\d+)?([sdfg])/g), ([, precision, kind]) => {
    const digits = precision === undefined ? 6 : Number(precision.slice(1));
    if (kind === 's') return toText;
    if (kind === 'd') return (value: LuaValue) => String(Math.trunc(number(value)));
    return kind === 'f'
      ? (value: LuaValue) => fixed(number(value), digits)
      : (value: LuaValue) => formatG(number(value), digits);
  });
  const parsed = { pieces, texts };
  formats.set(source, parsed);
  return parsed;
}

/** `toFixed` writes numbers from 10^21 on otherwise. */
function fixed(value: number, digits: number): string {
  return Math.abs(value) < 1e21 || digits > 0 ? value.toFixed(digits) : BigInt(value).toString();
}

const string = {
  sub,
  format,
  byte(value, from = 1, to = from) {
    const bytes = sub(value, from, to);
    return Array.from(bytes, (each) => each.charCodeAt(0));
  },
  char: (...codes) => String.fromCharCode(...codes.map(number)),
  rep: (value, count) => text(value).repeat(Math.max(0, number(count))),
  len: (value) => text(value).length,
  find(value, pattern, init = 1) {
    const match = findPattern(text(value), text(pattern), Math.max(0, number(init) - 1));
    if (match === undefined) return undefined;
    const captures = text(pattern).includes('(') ? match.captures : [];
    return [match.start + 1, match.end, ...captures];
  },
  /** For a loop alone: what each match has captured. */
  gmatch(value, pattern) {
    const whole = text(value);
    const matches: LuaTable[] = [];
    for (let from = 0; ;) {
      const match = findPattern(whole, text(pattern), from);
      if (match === undefined) return matches;
      if (match.end === match.start) throw new SyntaxError('a script loops over an empty match');
      matches.push(new LuaTable([...match.captures]));
      from = match.end;
    }
  },
  gsub(value, pattern, replacement) {
    const whole = text(value);
    let [written, from, count] = ['', 0, 0];
    for (;;) {
      const match = findPattern(whole, text(pattern), from);
      if (match === undefined) return [written + whole.slice(from), count];
      const found = whole.slice(match.start, match.end);
      if (found === '') throw new SyntaxError('a script replaces an empty match');
      written += whole.slice(from, match.start) + text(replacement).replaceAll('%0', () => found);
      from = match.end;
      count += 1;
    }
  },
  match(value, pattern) {
    const captures = findPattern(text(value), text(pattern))?.captures;
    return captures === undefined || captures.length === 1 ? captures?.[0] : [...captures];
  },
} satisfies Record<string, LuaFunction>;

const table = {
  concat(list, separator = '') {
    return (list as LuaTable).list.map(text).join(text(separator));
  },
  insert(list, ...values) {
    const { list: items } = list as LuaTable;
    if (values.length === 1) (list as LuaTable).set(items.length + 1, values[0]);
    else items.splice(number(values[0]) - 1, 0, values[1]);
    return undefined;
  },
  sort(list, isBefore) {
    const comes = (first: LuaValue, second: LuaValue) => [(isBefore as LuaFunction)(first, second)].flat()[0] === true;
    (list as LuaTable).list.sort((first, second) => (comes(first, second) ? -1 : Number(comes(second, first))));
    return undefined;
  },
  remove(list, position) {
    const { list: items } = list as LuaTable;
    return items.splice(position === undefined ? items.length - 1 : number(position) - 1, 1)[0];
  },
} satisfies Record<string, LuaFunction>;

function unpack(list: LuaValue, from: LuaValue = 1, to?: LuaValue): LuaValue[] {
  const items = list as LuaTable;
  const last = to === undefined ? items.list.length : number(to);
  const values: LuaValue[] = [];
  for (let place = number(from); place <= last; place += 1) values.push(items.get(place));
  // The stack of Lua has 8 000 slots.
  if (values.length >= 8_000) throw new LuaError('too many results to unpack');
  return values;
}

const math = {
  floor: (value) => Math.floor(number(value)),
  ceil: (value) => Math.ceil(number(value)),
  abs: (value) => Math.abs(number(value)),
  min: (first, ...others) => others.reduce<number>((least, each) => Math.min(least, number(each)), number(first)),
  max: (first, ...others) => others.reduce<number>((most, each) => Math.max(most, number(each)), number(first)),
  huge: Infinity,
} satisfies Record<string, LuaValue>;

/** The globals of a script but for `redis`, `KEYS` and `ARGV`. */
export const globals = {
  string,
  table,
  math,
  struct: { pack, unpack: unpackStruct },
  tonumber: (value: LuaValue) => toNumber(value),
  tostring: (value: LuaValue) => toText(value),
  type: (value: LuaValue) => typeName(value),
  unpack,
  /** The first key of a table: no script goes on from another one. */
  next: (value: LuaValue) => (value as LuaTable).firstKey(),
  error(value: LuaValue) {
    throw new LuaError(value);
  },
};
