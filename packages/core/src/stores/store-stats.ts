/** What a store holds now, in this process. */
export interface StoreStats {
  readonly keys: readonly KeyStats[];
  /** One for a server, one for each primary of a Cluster that was called, none for a memory store. */
  readonly breakers: readonly BreakerStats[];
  /** Requests that wait for Redis. */
  readonly inFlight: number;
}

/** Keys that a part of a store holds in this process. */
export interface KeyStats {
  /**
   * `memory`: a memory store. `local`: decides while Redis is unavailable. `deny-cache`: denied keys. `lease`: keys whose
   * units were charged ahead.
   */
  readonly part: 'memory' | 'local' | 'deny-cache' | 'lease';
  /** Of the deny cache at most: it may count a key twice. */
  readonly used: number;
  readonly limit: number;
}

export interface BreakerStats {
  readonly state: 'open' | 'half-open' | 'closed';
  /** The client has a connection to the server. True for a client that does not say. */
  readonly isConnected: boolean;
  /** On a Cluster, the primary behind the breaker, as `host:port`. */
  readonly primary?: string;
}
