// access/ says who may call the service: tokens, and the files of TLS. Headers of a call enter. It imports no other room.
import { createHash, timingSafeEqual } from 'node:crypto';

/** The tokens of the service. Several, so that one can be replaced while both are in use. */
export class Access {
  readonly #digests: readonly Buffer[];

  /** @param tokens without one, every call is admitted */
  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map(digestOf);
  }

  get isOpen(): boolean {
    return this.#digests.length === 0;
  }

  /** @param authorization the header: `Bearer TOKEN` */
  admits(authorization: string | undefined): boolean {
    if (this.isOpen) return true;
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return false;
    const given = digestOf(token);
    // All of them, so that the time says nothing of their number.
    return this.#digests.filter((digest) => timingSafeEqual(digest, given)).length > 0;
  }
}

/** Of one length, whatever a token is. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
