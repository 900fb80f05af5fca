import { parse, type Statement } from 'luaparse';
import { Compiler, type Outermost } from './compile.js';
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
type Step = () => Result;
/** Prepares a statement of a script that has these locals. Undefined: that was all. */
type Part = (locals: unknown[]) => Step | undefined;

const GO_ON = Symbol('go on');
const HEAD = `const { ${Object.keys(operators).join(', ')} } = operators;`;

/** Statements by their text. Scripts share most of theirs, and the engine optimizes each of them once. */
const parts = new Map<string, Part>();

/** Compiles a script of Redis to JavaScript. Its functions are made once, because each run of Redis makes the same. */
export function compileLua(source: string): CompiledScript {
  const { body } = parse(source, { luaVersion: '5.1', comments: false, encodingMode: 'pseudo-latin1' });
  const compiler = new Compiler();
  const all = body.map((statement: Statement) => partOf(compiler.outermost(statement)));
  const locals = new Array<unknown>(compiler.count()).fill(undefined);
  const steps = all.flatMap((part) => part(locals) ?? []);
  const before = [...locals];
  return (...given) => {
    for (let place = 0; place < before.length; place += 1) locals[place] = before[place];
    [locals[0], locals[1], locals[2]] = given;
    for (const step of steps) {
      const result = step();
      if (result !== GO_ON) return result;
    }
    return undefined;
  };
}

function partOf({ once, step }: Outermost): Part {
  const text = `${once}${step === '' ? '' : `return function () { ${step}\nreturn GO_ON; };`}`;
  const known = parts.get(text);
  if (known !== undefined) return known;
  const body = `${HEAD} return function (locals) { ${text} };`;
  // oxlint-disable-next-line typescript/no-implied-eval -- the text of a compiler
  const make = new Function('globals', 'operators', 'GO_ON', body) as (...all: unknown[]) => Part;
  const part = make(globals, operators, GO_ON);
  parts.set(text, part);
  return part;
}
