/** Logs when Redis becomes unavailable and when it is available again: one line each, and none for a request. */
export class OutageLog {
  #isAway = false;

  away({ message }: { readonly message: string }): void {
    if (!this.#isAway)
      console.error(`Redis is unavailable, so this process limits alone and denies logins: ${message}`);
    this.#isAway = true;
  }

  back(): void {
    if (this.#isAway) console.error('Redis is available again.');
    this.#isAway = false;
  }
}
