import { parse, type Statement } from 'luaparse';
import { Compiler } from './compile.js';
import { globals } from './library.js';
import * as operators from './operators.js';
import type { LuaFunction, LuaTable, LuaValue } from './values.js';

/** A script that can be run: what it returns. */
export type CompiledScript = (redis: RedisLibrary, keys: LuaTable, args: LuaTable) => LuaValue | LuaValue[];

/** What a script calls as `redis`. */
export interface RedisLibrary {
  readonly REDIS_VERSION_NUM: number;
  readonly call: LuaFunction;
  readonly pcall: LuaFunction;
  readonly error_reply: LuaFunction;
}

type Result = LuaValue | LuaValue[] | typeof GO_ON;
/** A statement. It returns what the script returns, or `GO_ON`. */
type Part = (locals: LuaValue[], redis: RedisLibrary, keys: LuaTable, args: LuaTable) => Result;

const GO_ON = Symbol('go on');
const HEAD = `const { ${Object.keys(operators).join(', ')} } = operators;`;

/** Statements by their text. Scripts share most of theirs, and the engine optimizes each of them once. */
const parts = new Map<string, Part>();

/** Compiles a script of Redis to JavaScript. */
export function compileLua(source: string): CompiledScript {
  const { body } = parse(source, { luaVersion: '5.1', comments: false, encodingMode: 'pseudo-latin1' });
  const compiler = new Compiler();
  const all = body.map((statement: Statement) => partOf(compiler.outermost(statement)));
  const count = compiler.count();
  return (redis, keys, args) => {
    const locals = new Array<LuaValue>(count).fill(undefined);
    for (const part of all) {
      const result = part(locals, redis, keys, args);
      if (result !== GO_ON) return result;
    }
    return undefined;
  };
}

function partOf(text: string): Part {
  const known = parts.get(text);
  if (known !== undefined) return known;
  const body = `${HEAD} return function (locals, redis, KEYS, ARGV) { ${text}\nreturn GO_ON; };`;
  // oxlint-disable-next-line typescript/no-implied-eval -- the text of a compiler
  const make = new Function('globals', 'operators', 'GO_ON', body) as (...all: unknown[]) => Part;
  const part = make(globals, operators, GO_ON);
  parts.set(text, part);
  return part;
}
