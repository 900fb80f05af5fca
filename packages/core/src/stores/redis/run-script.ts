import { isPromise } from '../../model/is-promise.js';
import type { RedisClient, Script } from './redis-client.js';

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
 * Hands ioredis a command whose arguments are flat already. Its own functions copy them three times, the last time by
 * `flat`, which asks for each of them whether it is there.
 */
function sendOf(client: IoredisClient, otherwise: RunScript): RunScript | undefined {
  const Command = commandClassOf(client);
  if (Command === undefined) return undefined;
  return (script, keys, args, bySource) => {
    if (bySource) return otherwise(script, keys, args, bySource);
    const { packed } = script;
    const command = new Command('evalsha', [], packed ? BYTES : TEXT);
    command.args = textsOf((packed ?? script).sha, keys, args);
    return client.sendCommand!(command);
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
  return made instanceof Object && 'toWritable' in made && 'args' in made && Array.isArray(made.args);
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
