import { LuaError, textOf, toNumber, type LuaValue } from './values.js';

/** A field of a format: `I4`, `B`, `d`. */
interface Field {
  readonly kind: string;
  readonly size: number;
}

interface Format {
  readonly isBig: boolean;
  readonly fields: readonly Field[];
}

const formats = new Map<string, Format>();

/** `struct.pack` of Redis, for unsigned integers and doubles. */
export function pack(format: LuaValue, ...values: LuaValue[]): string {
  const { isBig, fields } = parsed(textOf(format));
  let text = '';
  for (const [index, { kind, size }] of fields.entries()) {
    const value = toNumber(values[index]);
    if (value === undefined) throw new LuaError('bad argument to pack (number expected)');
    text += kind === 'd' ? doubleText(value, isBig) : integerText(value, size, isBig);
  }
  return text;
}

/** `struct.unpack`: the values, then the position behind them. */
export function unpack(format: LuaValue, text: LuaValue, position: LuaValue = 1): LuaValue[] {
  const { isBig, fields } = parsed(textOf(format));
  const values: LuaValue[] = [];
  let at = Number(position) - 1;
  for (const { kind, size } of fields) {
    const bytes = textOf(text).slice(at, at + size);
    if (bytes.length < size) throw new LuaError('data string too short');
    values.push(kind === 'd' ? doubleOf(bytes, isBig) : integerOf(bytes, isBig));
    at += size;
  }
  return [...values, at + 1];
}

function parsed(text: string): Format {
  const known = formats.get(text);
  if (known !== undefined) return known;
  const fields = Array.from(text.matchAll(/([BId])(\d*)/g), ([, kind = '', size = '']) => ({
    kind,
    size: kind === 'B' ? 1 : kind === 'd' ? 8 : Number(size || 4),
  }));
  const format = { isBig: text.startsWith('>'), fields };
  if (!/^[<>]?([Bd]|I\d*)*$/.test(text)) throw new LuaError(`invalid format option in '${text}'`);
  formats.set(text, format);
  return format;
}

function integerText(value: number, size: number, isBig: boolean): string {
  const bytes: number[] = [];
  let left = Math.trunc(value);
  for (let place = 0; place < size; place += 1) {
    const byte = ((left % 256) + 256) % 256;
    bytes.push(byte);
    left = (left - byte) / 256;
  }
  return String.fromCharCode(...(isBig ? bytes.toReversed() : bytes));
}

function integerOf(bytes: string, isBig: boolean): number {
  let value = 0;
  for (let place = 0; place < bytes.length; place += 1) {
    value = value * 256 + bytes.charCodeAt(isBig ? place : bytes.length - 1 - place);
  }
  return value;
}

const scratch = Buffer.alloc(8);

function doubleText(value: number, isBig: boolean): string {
  if (isBig) scratch.writeDoubleBE(value);
  else scratch.writeDoubleLE(value);
  return scratch.toString('latin1');
}

function doubleOf(bytes: string, isBig: boolean): number {
  scratch.write(bytes, 'latin1');
  return isBig ? scratch.readDoubleBE() : scratch.readDoubleLE();
}
