/** What TLS needs, as PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Clients must have a certificate of this authority. Undefined: they need none. */
  readonly clientCa: Buffer | undefined;
}
