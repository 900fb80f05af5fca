import { globals } from './library.js';
import { LuaError, LuaTable, toNumber, toText, typeName, type LuaFunction, type LuaValue } from './values.js';

// What compiled scripts call. Numbers are doubles, as in Lua 5.1.

/** The first of the values of a call. */
export function one(value: LuaValue | LuaValue[]): LuaValue {
  return Array.isArray(value) ? value[0] : value;
}

/** All values of a call. */
export function all(value: LuaValue | LuaValue[]): LuaValue[] {
  return Array.isArray(value) ? value : [value];
}

export function truthy(value: LuaValue): boolean {
  return value !== undefined && value !== false;
}

function numberOf(value: LuaValue): number {
  if (typeof value === 'number') return value;
  const number = toNumber(value);
  if (number === undefined) throw new LuaError(`attempt to perform arithmetic on a ${typeName(value)} value`);
  return number;
}

export function add(left: LuaValue, right: LuaValue): number {
  return numberOf(left) + numberOf(right);
}

export function subtract(left: LuaValue, right: LuaValue): number {
  return numberOf(left) - numberOf(right);
}

export function multiply(left: LuaValue, right: LuaValue): number {
  return numberOf(left) * numberOf(right);
}

export function divide(left: LuaValue, right: LuaValue): number {
  return numberOf(left) / numberOf(right);
}

/** As Lua 5.1 computes it, which rounds otherwise than `%` of JavaScript. */
export function modulo(left: LuaValue, right: LuaValue): number {
  const [dividend, divisor] = [numberOf(left), numberOf(right)];
  return dividend - Math.floor(dividend / divisor) * divisor;
}

export function power(left: LuaValue, right: LuaValue): number {
  return numberOf(left) ** numberOf(right);
}

export function negate(value: LuaValue): number {
  return -numberOf(value);
}

export function concat(left: LuaValue, right: LuaValue): string {
  for (const each of [left, right]) {
    if (typeof each !== 'string' && typeof each !== 'number') {
      throw new LuaError(`attempt to concatenate a ${typeName(each)} value`);
    }
  }
  return toText(left) + toText(right);
}

export function length(value: LuaValue): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof LuaTable) return value.list.length;
  throw new LuaError(`attempt to get length of a ${typeName(value)} value`);
}

export function less(left: LuaValue, right: LuaValue): boolean {
  if (typeof left === typeof right && (typeof left === 'number' || typeof left === 'string')) return left < right!;
  throw new LuaError(`attempt to compare ${typeName(left)} with ${typeName(right)}`);
}

export function atMost(left: LuaValue, right: LuaValue): boolean {
  if (typeof left === typeof right && (typeof left === 'number' || typeof left === 'string')) return left <= right!;
  throw new LuaError(`attempt to compare ${typeName(left)} with ${typeName(right)}`);
}

export function index(from: LuaValue, key: LuaValue): LuaValue {
  if (from instanceof LuaTable) return from.get(key);
  if (typeof from === 'string') return Object.entries(globals.string).find(([name]) => name === key)?.[1];
  throw new LuaError(`attempt to index a ${typeName(from)} value (field '${toText(key)}')`);
}

export function assign(to: LuaValue, key: LuaValue, value: LuaValue): void {
  if (!(to instanceof LuaTable)) throw new LuaError(`attempt to index a ${typeName(to)} value`);
  to.set(key, value);
}

/** Calls a function with all values of its last argument. */
export function spread(callee: LuaFunction, firsts: readonly LuaValue[], last: LuaValue | LuaValue[]): unknown {
  return Array.isArray(last) ? callee(...firsts, ...last) : callee(...firsts, last);
}

/** A table constructor: values in order, then pairs of keys and values. */
export function table(list: LuaValue[], others: readonly LuaValue[]): LuaTable {
  const made = new LuaTable(list);
  for (let place = 0; place < others.length; place += 2) made.set(others[place], others[place + 1]);
  return made;
}

/** A bound or a step of a loop. */
export function bound(value: LuaValue): number {
  const number = toNumber(value);
  if (number === undefined) throw new LuaError("'for' limit must be a number");
  return number;
}

export function pairs(value: LuaValue): readonly (readonly [LuaValue, LuaValue])[] {
  if (value instanceof LuaTable) return value.pairs();
  throw new LuaError(`bad argument to 'pairs' (table expected, got ${typeName(value)})`);
}
