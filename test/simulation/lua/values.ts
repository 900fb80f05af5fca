/** A value of Lua. Texts are bytes, one character each; nil is undefined. */
export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction;
/** Returns one value, or several as an array. */
export type LuaFunction = (...args: LuaValue[]) => LuaValue | LuaValue[];

/** An error that a script raises: a text, or a table such as `{ err = '…' }`. */
export class LuaError extends Error {
  constructor(readonly value: LuaValue) {
    super(typeof value === 'string' ? value : 'an error of a script');
  }
}

/** A table: the values of 1, 2, 3 … in an array, and the others in a map. */
export class LuaTable {
  readonly list: LuaValue[];
  /** Most tables have none. */
  #rest: Map<LuaValue, LuaValue> | undefined;

  constructor(list: LuaValue[] = []) {
    while (list.length > 0 && list[list.length - 1] === undefined) list.pop();
    this.list = list;
  }

  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && key >= 1 && key <= this.list.length) {
      const value = this.list[key - 1];
      if (value !== undefined) return value;
    }
    return this.#rest?.get(key);
  }

  firstKey(): LuaValue {
    const index = this.list.findIndex((each) => each !== undefined);
    return index >= 0 ? index + 1 : this.#rest?.keys().next().value;
  }

  set(key: LuaValue, value: LuaValue): void {
    const { list } = this;
    if (typeof key !== 'number' || !Number.isInteger(key) || key < 1 || key > list.length + 1) {
      this.#setOther(key, value);
      return;
    }
    if (key <= list.length) list[key - 1] = value;
    else this.#append(value);
    if (value === undefined) while (list.length > 0 && list[list.length - 1] === undefined) list.pop();
  }

  #setOther(key: LuaValue, value: LuaValue): void {
    if (key === undefined || Number.isNaN(key)) throw new LuaError('table index is nil');
    if (value === undefined) this.#rest?.delete(key);
    else (this.#rest ??= new Map()).set(key, value);
  }

  /** What has been stored behind a gap follows. */
  #append(value: LuaValue): void {
    const rest = this.#rest;
    for (let next = value; next !== undefined; next = rest?.get(this.list.length + 1)) {
      this.list.push(next);
      rest?.delete(this.list.length);
    }
  }

  /** All keys with their values. A caller may change the table meanwhile. */
  pairs(): (readonly [LuaValue, LuaValue])[] {
    const all: (readonly [LuaValue, LuaValue])[] = [];
    for (const [index, value] of this.list.entries()) if (value !== undefined) all.push([index + 1, value]);
    if (this.#rest !== undefined) all.push(...this.#rest);
    return all;
  }
}

export function typeName(value: LuaValue): string {
  if (value === undefined) return 'nil';
  if (value instanceof LuaTable) return 'table';
  return typeof value;
}

/** Of a number as C writes it with `%.{precision}g`. */
export function formatG(value: number, precision: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e14) return Object.is(value, -0) ? '-0' : String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '-nan' : value > 0 ? 'inf' : '-inf';
  const [digits = '', exponent = '0'] = value.toExponential(precision - 1).split('e');
  const power = Number(exponent);
  if (power < -4 || power >= precision) {
    const mantissa = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
    return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const fixed = value.toFixed(Math.max(0, precision - 1 - power));
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}

export function toText(value: LuaValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatG(value, 14);
  return value === undefined
    ? 'nil'
    : value instanceof LuaTable || typeof value === 'function'
      ? 'table'
      : String(value);
}

/** Digits that a double has exactly. */
const MOST_DIGITS = 15;

/** The number of a text of digits alone, as most are. -1 for any other text. */
function digitsOf(text: string): number {
  const { length } = text;
  if (length === 0 || length > MOST_DIGITS) return -1;
  let number = 0;
  for (let at = 0; at < length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

const NUMERAL = /^\s*([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|0[xX][\da-fA-F]+))\s*$/;

/** The number of a text, or undefined. */
export function toNumber(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const digits = digitsOf(value);
  if (digits >= 0) return digits;
  const [, numeral] = NUMERAL.exec(value) ?? [];
  if (numeral !== undefined) return Number(numeral);
  const [, sign, name] = /^\s*([+-]?)(inf|nan)\s*$/i.exec(value) ?? [];
  if (name === undefined) return undefined;
  return name.toLowerCase() === 'nan' ? NaN : sign === '-' ? -Infinity : Infinity;
}

/** The text of a string or a number. */
export function textOf(value: LuaValue): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new LuaError('bad argument (string expected)');
}
