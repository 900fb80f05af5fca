// policies/ has the subcommands of `sluice policies`, which show, compare and apply the policies that a fleet reads
// from Redis. A proposed file and the state of the fleet enter, and differences or a new version leave. It imports
// replay, limits, clients, keys, sources, terminal, invocation and failure.
import { hostname, userInfo } from 'node:os';
import { isLine } from '@sluice/metrics/operations';
import { redisPolicies, type FleetState, type RedisPolicies } from '@sluice/policies';
import { FILE_FEATURES, readDocument, type PolicyDocument } from '@sluice/policies/operations';
import { usage } from '../failure/failure.js';
import type { GlobalOptions } from '../invocation/invocation.js';
import { openRedis, type RedisSource } from '../sources/redis-source.js';

/** Options of every command about policies. */
export interface PoliciesOptions extends GlobalOptions {
  readonly config?: string;
  /** Of the policies in Redis. */
  readonly name: string;
}

/** Options of every command that changes them. */
export interface ChangeOptions {
  /** Does not ask. */
  readonly yes?: boolean | undefined;
  /** No process runs yet. */
  readonly first?: boolean | undefined;
}

/** Options of the commands that change their text. */
export interface ApplyOptions extends PoliciesOptions, ChangeOptions {
  readonly reason: string;
  readonly by?: string;
  readonly set?: readonly string[];
  readonly replay?: readonly string[];
  /** The one limiter that is replayed. */
  readonly limiter?: string;
}

/** Runs with the policies in Redis. */
export async function withPolicies<T>(
  options: PoliciesOptions,
  run: (policies: RedisPolicies, source: RedisSource) => Promise<T>,
): Promise<T> {
  const source = await openRedis(options);
  try {
    return await run(redisPolicies(source.openStore(), { name: options.name }), source);
  } finally {
    await source.close();
  }
}

/** A text as processes read it, but for the names of keys: these are in their code. */
export function documentOf(name: string, text: string): PolicyDocument<never> {
  return readDocument<never>(name, text, { keys: {}, plans: undefined, features: FILE_FEATURES, takesAnyName: true });
}

/** The document in force. Undefined where nothing was applied. */
export function documentIn(state: FleetState): PolicyDocument<never> | undefined {
  return state.text === undefined ? undefined : documentOf(`v${state.version}`, state.text.text);
}

/** The author of a change: `--by`, else the user of this machine. */
export function authorOf(by: string | undefined): string {
  const author = by ?? `${userInfo().username}@${hostname()}`;
  if (isLine(author, 100)) return author;
  throw usage('--by must be 1 to 100 characters on one line, without invisible ones');
}

/** @throws Failure */
export function reasonOf(reason: string): string {
  if (isLine(reason, 200)) return reason;
  throw usage('--reason must be 1 to 200 characters on one line, without invisible ones, such as "ticket 4711"');
}
