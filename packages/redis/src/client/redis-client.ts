// client/ adapts ioredis, node-redis and other clients to one interface, and checks their options. A client or a URL
// enters. It imports no other room, and knows no deadline and no breaker.

/**
 * The methods that the store calls on a client. An ioredis client has all of them: single, Sentinel or Cluster. The store
 * adds nothing to a client except listeners. With the optional members it knows when no server can answer.
 */
export interface RedisClient {
  /** Runs a script by its SHA-1. */
  evalsha(sha: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** Runs a script by its text: the first call of each script on a connection. */
  eval(source: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** `evalsha` with texts of the reply as bytes. The store uses it if `evalBuffer` exists too: bytes decode faster. */
  evalshaBuffer?(sha: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** `eval` with texts of the reply as bytes. */
  evalBuffer?(source: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** True for a client of a Cluster, where all keys of a call must be in one slot. */
  readonly isCluster?: boolean;
  /** The store sends calls only while this is `ready`. It always sends if the client has no status. */
  readonly status?: string;
  /** Emits `ready`, `close` and `end`; a Cluster also `+node` and `-node`. */
  on?(event: string, listener: () => void): unknown;
  /** Connects a client whose status is `wait`. */
  connect?(): Promise<unknown>;
  /** Of a Cluster: the nodes of each slot as `host:port`, the primary first. */
  readonly slots?: readonly (readonly string[])[];
  /** The clients of the nodes. Only a client of a Cluster has them. */
  nodes?(): RedisNode[];
  /**
   * Replaces the connection: it was silent for two seconds after a call, its server has refused calls for two seconds that
   * a new connection may run, or its replies are not those of the calls. It is called again every two seconds until the
   * promise that it returns settles.
   *
   * @param node of a Cluster with `slots`: the `host:port` whose connection it is
   */
  resetConnection?(node?: string): unknown;
}

/** A client of one node of a Cluster. */
export interface RedisNode {
  readonly options: { readonly host?: string | undefined; readonly port?: number | undefined };
  readonly status: string;
  on(event: string, listener: () => void): unknown;
  connect(): Promise<unknown>;
}

/** Name of a node, as in the slots of its Cluster. */
export function nodeName({ options: { host, port } }: RedisNode): string {
  return `${host}:${port}`;
}
