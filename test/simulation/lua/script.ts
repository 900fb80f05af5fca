import { parse, type Statement } from 'luaparse';
import { Compiler, type Outermost } from './compile.js';
import { globals } from './library.js';
import { localsCount, NOTHING_DECLARED, placeOfLocal, type Declared } from './names.js';
import * as operators from './operators.js';
import { statementTexts } from './statements.js';
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

/** A place between two statements of scripts. Scripts that have declared the same before are at one place. */
interface Place {
  readonly declared: Declared;
  /** What statements make of it, by their text. */
  readonly known: Map<string, Compiled>;
}

interface Compiled {
  readonly parts: readonly Part[];
  readonly after: Place;
}

/** Statements by their JavaScript. Scripts share most of theirs, and the engine optimizes each of them once. */
const parts = new Map<string, Part>();
const places = new Map<string, Place>();
const START = placeOf(NOTHING_DECLARED);

/** Compiles a script of Redis to JavaScript. Its functions are made once, because each run of Redis makes the same. */
export function compileLua(source: string): CompiledScript {
  const all: Part[] = [];
  const used = new Set<string>();
  let place = START;
  // Each statement is parsed once for all scripts that have it.
  for (const text of statementTexts(source)) {
    const compiled = place.known.get(text) ?? compileAt(place, text);
    place.known.set(text, compiled);
    all.push(...compiled.parts);
    place = compiled.after;
    for (const name of place.declared.names.values()) used.add(name);
  }
  const locals = new Array<unknown>(localsCount()).fill(undefined);
  const steps = all.flatMap((part) => part(locals) ?? []);
  const own = Array.from(used, placeOfLocal);
  const before = own.map((each) => locals[each]);
  return (...given) => {
    for (let each = 0; each < own.length; each += 1) locals[own[each]!] = before[each];
    [locals[0], locals[1], locals[2]] = given;
    for (const step of steps) {
      const result = step();
      if (result !== GO_ON) return result;
    }
    return undefined;
  };
}

export function parseLua(source: string): readonly Statement[] {
  return parse(source, { luaVersion: '5.1', comments: false, encodingMode: 'pseudo-latin1' }).body;
}

function compileAt(place: Place, text: string): Compiled {
  const compiler = new Compiler(place.declared);
  const compiled = parseLua(text).map((statement) => partOf(compiler.outermost(statement)));
  return { parts: compiled, after: placeOf(compiler.declared()) };
}

function placeOf(declared: Declared): Place {
  const { names, singles } = declared;
  const text = Array.from(names, ([name, made]) => `${name}=${made}${singles.has(made) ? '!' : ''}`).join();
  const known = places.get(text);
  if (known !== undefined) return known;
  const place = { declared, known: new Map<string, Compiled>() };
  places.set(text, place);
  return place;
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
