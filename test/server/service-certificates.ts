import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from '@sluice/server';
import { makeAuthority, type Authority, type Certificate } from '../security/redis/certificates.js';

/** A service with a certificate of an authority, and clients that have one of the same authority, or of another. */
export class ServiceCertificates {
  readonly #folder: string;
  readonly authority: Authority;
  readonly stranger: Authority;
  readonly server: Certificate;
  readonly client: Certificate;
  readonly strangeClient: Certificate;
  readonly strangeServer: Certificate;

  private constructor(
    folder: string,
    [authority, stranger]: readonly [Authority, Authority],
    made: readonly Certificate[],
  ) {
    this.#folder = folder;
    this.authority = authority;
    this.stranger = stranger;
    [this.server, this.client, this.strangeClient, this.strangeServer] = made as [
      Certificate,
      Certificate,
      Certificate,
      Certificate,
    ];
  }

  static async make(): Promise<ServiceCertificates> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-service-tls-'));
    const authorities = [await makeAuthority(folder, 'ours'), await makeAuthority(folder, 'theirs')] as const;
    const [ours, theirs] = authorities;
    const made = [
      await ours.sign('127.0.0.1'),
      await ours.sign('192.0.2.1'),
      await theirs.sign('192.0.2.1'),
      await theirs.sign('127.0.0.1'),
    ];
    return new ServiceCertificates(folder, authorities, made);
  }

  /** A certificate of the service. */
  get tls(): TlsOptions {
    return { cert: readFileSync(this.server.cert), key: readFileSync(this.server.key) };
  }

  /** A certificate of the other authority. */
  get tlsOfStranger(): TlsOptions {
    return { cert: readFileSync(this.strangeServer.cert), key: readFileSync(this.strangeServer.key) };
  }

  /** The service asks clients for a certificate of its authority. */
  get mutual(): TlsOptions {
    return { ...this.tls, clientCa: this.authority.ca };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
