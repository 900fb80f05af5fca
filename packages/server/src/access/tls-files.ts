import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigError } from '@sluice/core';

/** What TLS needs, as PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Clients must have a certificate of this authority. Undefined: they need none. */
  readonly clientCa: Buffer | undefined;
}

interface TlsTexts {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  readonly clientCa?: string | Buffer;
}

/** @throws ConfigError for a key of another certificate, and for what OpenSSL cannot read */
export function tlsFilesOf({ cert, key, clientCa }: TlsTexts): TlsFiles {
  const files = {
    cert: Buffer.from(cert as string),
    key: Buffer.from(key as string),
    clientCa: clientCa === undefined ? undefined : Buffer.from(clientCa as string),
  };
  try {
    createSecureContext(secureContextOf(files));
  } catch (cause) {
    const { message } = cause as Error;
    throw new ConfigError('OPTION_INVALID', 'tls', undefined, `tls: cert, key and clientCa must fit: ${message}`, {
      cause,
    });
  }
  return files;
}

/** As Node takes them. */
export function secureContextOf({ cert, key, clientCa }: TlsFiles): SecureContextOptions {
  return { cert, key, ...(clientCa && { ca: clientCa }) };
}
