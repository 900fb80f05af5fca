/** A running service. */
export interface RateLimitServer {
  /** The ports that it has taken. Undefined for those that are not served. */
  readonly ports: {
    readonly http: number | undefined;
    readonly grpc: number | undefined;
    readonly operations: number | undefined;
  };
  /** Reads the file of policies now, which happens every two seconds anyway. Rejects for a file that is refused. */
  refresh(): Promise<void>;
  /**
   * Stops: health says NOT_SERVING, no connection is taken, and calls in flight are answered. The store stays open.
   *
   * @param grace milliseconds after which connections are cut. @default 10 s
   */
  close(grace?: number): Promise<void>;
}
