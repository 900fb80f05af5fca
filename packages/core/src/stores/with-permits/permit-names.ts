import { randomBytes } from 'node:crypto';

/** Makes the names of permits: no process makes one of another. */
export class PermitNames {
  readonly #process = randomBytes(6).toString('base64url');
  #count = 0;

  next(): string {
    this.#count += 1;
    return this.#process + this.#count.toString(36);
  }
}
