import { hash } from 'node:crypto';
import { compileLua, type CompiledScript, type RedisLibrary } from '../lua/script.js';
import { formatG, LuaError, LuaTable, textOf, type LuaValue } from '../lua/values.js';
import { commands } from './commands.js';
import type { Keyspace } from './keyspace.js';
import { ErrorReply, StatusReply, type Reply } from './reply.js';

/** A server as its scripts see it. */
export interface ScriptHost {
  readonly keyspace: Keyspace;
  /** Microseconds since 1970. */
  readonly now: number;
  /** Why a write is refused; undefined if it is not. */
  readonly refusal?: ((writes: 'grows' | 'shrinks') => string | undefined) | undefined;
}

export interface ScriptText {
  readonly sha: string;
  readonly run: CompiledScript;
}

/** Compiled scripts by their text, for all servers of this process. */
const compiled = new Map<string, ScriptText>();

export function scriptOf(source: string): ScriptText {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const script = { sha: hash('sha1', source), run: compileLua(source) };
  compiled.set(source, script);
  return script;
}

/** Runs a script as Redis does. Keys and arguments are bytes. */
export function runScript(
  { sha, run }: ScriptText,
  host: ScriptHost,
  keys: readonly string[],
  args: readonly string[],
): Reply {
  try {
    const result = run(redisLibrary(host), new LuaTable([...keys]), new LuaTable([...args]));
    return replyOf(Array.isArray(result) ? result[0] : result);
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    const { value } = error;
    const text = value instanceof LuaTable ? textOf(value.get('err')) : `ERR user_script:1: ${textOf(value)}`;
    return new ErrorReply(`${text} script: ${sha}, on @user_script:1.`);
  }
}

function redisLibrary(host: ScriptHost): RedisLibrary {
  const { keyspace, now, refusal } = host;
  keyspace.now = Math.floor(now / 1e3);
  let hasWritten = false;
  const execute = (name: LuaValue, args: readonly LuaValue[]): Reply => {
    if (name === 'TIME') return [String(Math.floor(now / 1e6)), String(Math.floor(now) % 1e6)];
    const command = commands[textOf(name)];
    if (command === undefined) throw new Error(`the model of Redis has no command ${textOf(name)}`);
    const { writes } = command;
    // After its first write a script runs to its end.
    if (writes !== undefined && !hasWritten) {
      const problem = refusal?.(writes);
      if (problem !== undefined) return new ErrorReply(problem);
      hasWritten = true;
    }
    try {
      return command.run(keyspace, args.map(argumentText));
    } catch (error) {
      if (error instanceof ErrorReply) return error;
      throw error;
    }
  };
  return {
    REDIS_VERSION_NUM: 0x00070200,
    call(name, ...args) {
      const reply = execute(name, args);
      if (reply instanceof ErrorReply) throw new LuaError(valueOf(reply));
      return valueOf(reply);
    },
    pcall: (name, ...args) => valueOf(execute(name, args)),
    error_reply: (text) => valueOf(new ErrorReply(textOf(text))),
  };
}

function argumentText(value: LuaValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : formatG(value, 17);
  throw new LuaError('ERR Lua redis lib command arguments must be strings or integers');
}

/** A reply as a script gets it. */
function valueOf(reply: Reply): LuaValue {
  if (reply === null) return false;
  if (typeof reply === 'number' || typeof reply === 'string') return reply;
  if (reply instanceof ErrorReply || reply instanceof StatusReply) {
    const table = new LuaTable();
    table.set(reply instanceof ErrorReply ? 'err' : 'ok', reply.text);
    return table;
  }
  return new LuaTable(reply.map(valueOf));
}

/** What a script returns, as a client gets it. */
function replyOf(value: LuaValue): Reply {
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value === 'string') return value;
  if (!(value instanceof LuaTable)) return value === true ? 1 : null;
  const [problem, status] = [value.get('err'), value.get('ok')];
  if (typeof problem === 'string') return new ErrorReply(problem);
  if (typeof status === 'string') return new StatusReply(status);
  const end = value.list.indexOf(undefined);
  return (end < 0 ? value.list : value.list.slice(0, end)).map(replyOf);
}
