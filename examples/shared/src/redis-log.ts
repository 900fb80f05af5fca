/** Logs one line when Redis becomes unavailable, and one when it is back. */
export class RedisLog {
  #isAway = false;

  away({ message }: { readonly message: string }): void {
    if (!this.#isAway) console.error(`Redis is unavailable, this process limits alone and refuses logins: ${message}`);
    this.#isAway = true;
  }

  back(): void {
    if (this.#isAway) console.error('Redis counts again.');
    this.#isAway = false;
  }
}
