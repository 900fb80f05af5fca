/** Says once that Redis is away, and once that it is back: each is worth a line in a log, and no request is. */
export class RedisLog {
  #isAway = false;

  away({ message }: { readonly message: string }): void {
    if (!this.#isAway) console.error(`This process limits on its own, and lets nobody log in: ${message}`);
    this.#isAway = true;
  }

  back(): void {
    if (this.#isAway) console.error('Redis counts again.');
    this.#isAway = false;
  }
}
