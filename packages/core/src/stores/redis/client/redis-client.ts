/**
 * What the store uses of a client. An ioredis client has all of it: single, Sentinel or Cluster. Nothing is added to it
 * but listeners. What is optional lets the store know when there is nobody to be asked.
 */
export interface RedisClient {
  /** Runs a script by its SHA-1. */
  evalsha(sha: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** Runs a script by its text. */
  eval(source: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** As `evalsha` and `eval`, with texts of replies as bytes, where both are there: they are read faster. */
  evalshaBuffer?(sha: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  evalBuffer?(source: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** True for a client of a Cluster, where all keys of a call must lie in one slot. */
  readonly isCluster?: boolean;
  /** `ready` when calls can be sent: at any other time they are not. A client that does not say is always asked. */
  readonly status?: string;
  /** Tells of `ready`, `close` and `end`; a Cluster of `+node` and `-node` as well. */
  on?(event: string, listener: () => void): unknown;
  /** Connects a client that waits to be told to. */
  connect?(): Promise<unknown>;
  /** Of a Cluster: for each slot its nodes, as `host:port`, the primary first. */
  readonly slots?: readonly (readonly string[])[];
  /** Of a Cluster: the clients of its nodes. */
  nodes?(): RedisNode[];
}

/** A client of a node of a Cluster. */
export interface RedisNode {
  readonly options: { readonly host?: string | undefined; readonly port?: number | undefined };
  readonly status: string;
  on(event: string, listener: () => void): unknown;
  connect(): Promise<unknown>;
}

/** As the slots of a Cluster name it. */
export function nameOf({ options: { host, port } }: RedisNode): string {
  return `${host}:${port}`;
}
