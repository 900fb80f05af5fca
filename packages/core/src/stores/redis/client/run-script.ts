import type { Script } from '../lua/script.js';
import type { RedisClient } from './redis-client.js';

export interface ScriptArguments {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** Runs a script by its SHA-1, or by its text where Redis does not have it. */
export type RunScript = (call: ScriptArguments, by: 'sha' | 'source') => Promise<unknown>;

/**
 * Runs scripts on a client. A client that can return bytes receives packed numbers: ioredis parses an array number by
 * number and digit by digit.
 */
export function scriptRunner(client: RedisClient): RunScript {
  const isBinary = client.evalshaBuffer !== undefined && client.evalBuffer !== undefined;
  return ({ script, keys, args }, by) => {
    const { packed } = script;
    if (isBinary && packed !== undefined) {
      return by === 'sha'
        ? client.evalshaBuffer!(packed.sha, keys.length, ...keys, ...args)
        : client.evalBuffer!(packed.source, keys.length, ...keys, ...args);
    }
    return by === 'sha'
      ? client.evalsha(script.sha, keys.length, ...keys, ...args)
      : client.eval(script.source, keys.length, ...keys, ...args);
  };
}
