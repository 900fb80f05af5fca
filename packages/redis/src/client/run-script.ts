import type { Script } from '@sluice/core/scripts';
import type { RedisClient } from './redis-client.js';

/** A script with its keys and arguments. */
export interface ScriptCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  /**
   * How it is sent. A call by SHA-1 is repeated by its text if need be, after calls that were sent since.
   *
   * @default 'source' for the first one of a connection, then 'sha'
   */
  readonly by?: 'sha' | 'source';
}

/** Runs a script by its SHA-1, or by its text if Redis does not have it. */
export type RunScript = (call: ScriptCall, by: 'sha' | 'source') => Promise<unknown>;

/** Runs scripts on a client. A client that can return bytes receives packed replies: docs/decisions/0022-packed-replies.md. */
export function scriptRunner(client: RedisClient): RunScript {
  const returnsBytes = client.evalshaBuffer !== undefined && client.evalBuffer !== undefined;
  return ({ script, keys, args }, by) => {
    const { packed } = script;
    if (returnsBytes && packed !== undefined) {
      return by === 'sha'
        ? client.evalshaBuffer!(packed.sha, keys.length, ...keys, ...args)
        : client.evalBuffer!(packed.source, keys.length, ...keys, ...args);
    }
    return by === 'sha'
      ? client.evalsha(script.sha, keys.length, ...keys, ...args)
      : client.eval(script.source, keys.length, ...keys, ...args);
  };
}
