import { isPromise } from '../../async/maybe-promise.js';
import type { RedisClient, Script } from './redis-client.js';
import { wireText } from './wire-text.js';

/** Has a client run a script. @param bySource where Redis does not know the script by its digest */
export type RunScript = (
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
  bySource: boolean,
) => Promise<unknown>;

/** What an ioredis client sends. */
interface Command {
  args: string[];
  /** As it goes over the wire. */
  toWritable(): string;
  /** Has the client give it up after a while. */
  setTimeout(milliseconds: number): void;
}
type CommandClass = new (name: string, args: [], options: { replyEncoding: 'utf8' | null }) => Command;

interface IoredisClient extends RedisClient {
  readonly options?: { readonly [Name in 'keyPrefix' | 'showFriendlyErrorStack' | 'enableAutoPipelining']?: unknown };
  sendCommand?(command: Command): Promise<unknown>;
}

const TEXT = { replyEncoding: 'utf8' } as const;
const BYTES = { replyEncoding: null } as const;

/** Where a client of ours says how it does. */
export const RUN_SCRIPT = Symbol('how a client runs scripts');

/** How this client runs a script, by the shortest way that it has. */
export function runScriptOf(client: RedisClient & { readonly [RUN_SCRIPT]?: RunScript }): RunScript {
  if (client[RUN_SCRIPT]) return client[RUN_SCRIPT];
  const run = client.evalshaBuffer && client.evalBuffer ? runForBytes(client) : runForText(client);
  return sendOf(client, run) ?? run;
}

/**
 * Hands ioredis a command that is written already. Its own functions copy the arguments three times, the last time by
 * `flat`, which asks for each of them whether it is there, and write all of them anew.
 */
function sendOf(client: IoredisClient, otherwise: RunScript): RunScript | undefined {
  const Command = commandClassOf(client);
  if (Command === undefined) return undefined;
  const ScriptCommand = scriptCommandOf(Command);
  return (script, keys, args, bySource) =>
    bySource ? otherwise(script, keys, args, bySource) : client.sendCommand!(new ScriptCommand(script, keys, args));
}

function scriptCommandOf(Command: CommandClass) {
  return class ScriptCommand extends Command {
    readonly #text: string;

    constructor({ sha, packed }: Script, keys: readonly string[], args: readonly (string | number)[]) {
      super('evalsha', [], packed ? BYTES : TEXT);
      const digest = packed ? packed.sha : sha;
      // For those who watch what a client sends.
      this.args = textsOf(digest, keys, args);
      this.#text = `*${this.args.length + 1}\r\n$7\r\nevalsha\r\n` + wireText(digest, keys, args);
    }

    override toWritable(): string {
      return this.#text;
    }

    /** The deadline of the store ends it, by one timer for all. */
    override setTimeout(): void {}
  };
}

/**
 * The class of what a client of one server sends, where its functions do no more than to make one. Each version of
 * ioredis has its own, to which nothing leads from a client: a function of it that is called for somebody else gives one.
 */
function commandClassOf(client: IoredisClient): CommandClass | undefined {
  const { keyPrefix, showFriendlyErrorStack, enableAutoPipelining } = client.options ?? {};
  const isPlain = !keyPrefix && !showFriendlyErrorStack && !enableAutoPipelining && client.isCluster !== true;
  if (!isPlain || typeof client.sendCommand !== 'function' || !isOfIoredis(client)) return undefined;
  const nobody = { options: {}, sendCommand: (command: unknown) => command };
  try {
    const made: unknown = client.evalshaBuffer?.call(nobody as unknown as RedisClient, '', 0);
    if (isPromise(made)) made.then(undefined, () => undefined);
    return isCommand(made) ? (made.constructor as CommandClass) : undefined;
  } catch {
    return undefined;
  }
}

/** The function stands where ioredis makes all of them: one that somebody has put in front of it is to be called. */
function isOfIoredis(client: IoredisClient): boolean {
  let owner: object | null = client;
  while (owner !== null && !Object.hasOwn(owner, 'evalshaBuffer'))
    owner = Object.getPrototypeOf(owner) as object | null;
  return owner !== null && Object.hasOwn(owner, 'createBuiltinCommand');
}

function isCommand(made: unknown): made is Command {
  return (
    made instanceof Object && 'toWritable' in made && 'setTimeout' in made && 'args' in made && Array.isArray(made.args)
  );
}

function textsOf(sha: string, keys: readonly string[], args: readonly (string | number)[]): string[] {
  const texts = new Array<string>(2 + keys.length + args.length);
  texts[0] = sha;
  texts[1] = String(keys.length);
  for (let index = 0; index < keys.length; index += 1) texts[2 + index] = keys[index]!;
  for (let index = 0; index < args.length; index += 1) texts[2 + keys.length + index] = String(args[index]);
  return texts;
}

function runForBytes(client: RedisClient): RunScript {
  const runText = runForText(client);
  return (script, keys, args, bySource) => {
    const { packed } = script;
    if (packed === undefined) return runText(script, keys, args, bySource);
    return bySource
      ? client.evalBuffer!(packed.source, keys.length, ...keys, ...args)
      : client.evalshaBuffer!(packed.sha, keys.length, ...keys, ...args);
  };
}

function runForText(client: RedisClient): RunScript {
  return (script, keys, args, bySource) =>
    bySource
      ? client.eval(script.source, keys.length, ...keys, ...args)
      : client.evalsha(script.sha, keys.length, ...keys, ...args);
}
