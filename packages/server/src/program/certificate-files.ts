import { readFileSync } from 'node:fs';
import { ConfigError } from '@sluice/core';
import type { TlsOptions } from '../serve-options.js';

/** The paths of PEM. */
interface CertificatePaths {
  readonly cert: string;
  readonly key: string;
  readonly clientCa: string | undefined;
}

/** The files of TLS, which other programs renew while the service runs. */
export class CertificateFiles {
  readonly #paths: CertificatePaths;
  #taken: TlsOptions;

  /** @throws ConfigError for a file that cannot be read */
  constructor(paths: CertificatePaths) {
    this.#paths = paths;
    this.#taken = this.#read();
  }

  /** What was read last. */
  get tls(): TlsOptions {
    return this.#taken;
  }

  /** Reads the files again. What `take` throws for is tried again the next time: of two files one may have been written. */
  renew(take: (tls: TlsOptions) => void): void {
    const read = this.#read();
    if (textOf(read) === textOf(this.#taken)) return;
    take(read);
    this.#taken = read;
  }

  #read(): TlsOptions {
    const { cert, key, clientCa } = this.#paths;
    return { cert: pem(cert), key: pem(key), ...(clientCa !== undefined && { clientCa: pem(clientCa) }) };
  }
}

function textOf({ cert, key, clientCa = '' }: TlsOptions): string {
  return [cert, key, clientCa].join('\n');
}

function pem(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code = 'an error' } = cause as NodeJS.ErrnoException;
    throw new ConfigError('OPTION_INVALID', 'tls', undefined, `the file ${path} cannot be read: ${code}`, { cause });
  }
}
