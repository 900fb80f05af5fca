import type { RedisClient } from './redis-client.js';
import { scriptRunner, type RunScript, type ScriptCall } from './run-script.js';

/** What `sendCommand` of ioredis and iovalkey takes. The types of versions 5 and 6 differ. */
export interface Command {
  args: string[];
  setTimeout(milliseconds: number): void;
}

/** The members of a client of ioredis or iovalkey, of one server, Sentinel or Cluster, that commands need. */
interface Commander extends RedisClient {
  readonly options: { readonly keyPrefix?: string | Buffer | null };
  sendCommand(command: Command): Promise<unknown>;
  /** Makes functions that make a command, and pass it to `sendCommand` of their object. */
  createBuiltinCommand(name: string): { string(this: Pick<Commander, 'options' | 'sendCommand'>): unknown };
}

type CommandClass = new (name: string, args: [], options: { replyEncoding: 'utf8' | null }) => Command;
type ScriptCommandClass = new (call: ScriptCall, by: 'sha' | 'source', prefix: string) => Command;

/**
 * Runs scripts on any client. On ioredis and iovalkey it does so by a command class of the store: `client.evalsha` copies
 * its arguments three times, and sets a timer for each command: docs/benchmarks/tricks.md. A client that pipelines by
 * itself would send such a command later than another.
 */
export function commandRunner(client: RedisClient): RunScript {
  if (!isCommander(client)) return scriptRunner(client);
  const Command = commandClassOf(client);
  if (Command === undefined) return scriptRunner(client);
  const ScriptCommand = scriptCommandOf(Command);
  const prefix = String(client.options.keyPrefix ?? '');
  return (call, by) => client.sendCommand(new ScriptCommand(call, by, prefix));
}

function isCommander(client: RedisClient): client is Commander {
  const { options, sendCommand, createBuiltinCommand } = client as Partial<Commander>;
  return typeof options === 'object' && typeof sendCommand === 'function' && typeof createBuiltinCommand === 'function';
}

/** The class of the client's own package, of which a process may have several. A client does not name it. */
function commandClassOf(client: Commander): CommandClass | undefined {
  let made: Command | undefined;
  const sendCommand = async (command: Command) => void (made = command);
  client.createBuiltinCommand('ping').string.call({ options: {}, sendCommand });
  return made?.constructor as CommandClass | undefined;
}

/**
 * One for each class of ioredis, and not for each client: V8 compiles ioredis again for every class of commands, and stops
 * to specialise it after the fourth.
 */
const scriptCommands = new WeakMap<CommandClass, ScriptCommandClass>();

function scriptCommandOf(Command: CommandClass): ScriptCommandClass {
  const known = scriptCommands.get(Command);
  if (known) return known;
  class ScriptCommand extends Command {
    constructor({ script, keys, args }: ScriptCall, by: 'sha' | 'source', prefix: string) {
      super(by === 'sha' ? 'evalsha' : 'eval', [], { replyEncoding: script.packed ? null : 'utf8' });
      const { sha, source } = script.packed ?? script;
      this.args = [by === 'sha' ? sha : source, String(keys.length), ...keys];
      if (prefix !== '') for (let key = 0; key < keys.length; key += 1) this.args[2 + key] = prefix + keys[key]!;
      for (const each of args) this.args.push(String(each));
    }

    /** The store has one timer for the deadline of all calls. */
    override setTimeout(): void {}
  }
  scriptCommands.set(Command, ScriptCommand);
  return ScriptCommand;
}
