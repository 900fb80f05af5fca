import type { TlsOptions } from './serve-options.js';

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
   * Takes certificates that were renewed, for connections from now on.
   *
   * @throws ConfigError for a key of another certificate, and for a service that has started without TLS
   */
  secure(tls: TlsOptions): void;
  /**
   * Stops: health says NOT_SERVING, no connection is taken, and calls in flight are answered. The store stays open.
   *
   * @param grace milliseconds after which connections are cut. @default 10 s
   */
  close(grace?: number): Promise<void>;
}
