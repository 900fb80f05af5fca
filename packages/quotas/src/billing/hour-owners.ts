/** Hours of customers that a process remembers. */
const MAX_HOURS = 50_000;

/**
 * Which row has an hour of a customer on a meter. Stripe keeps one number for it, so that two rows would replace each other:
 * those of two API keys of one customer, for example.
 */
export class HourOwners {
  /** Ids of rows, the oldest first. */
  readonly #rows = new Map<string, string>();

  /** False if another row has the hour. */
  take(hour: string, row: string): boolean {
    const owner = this.#rows.get(hour);
    if (owner !== undefined) return owner === row;
    this.#rows.set(hour, row);
    if (this.#rows.size > MAX_HOURS) this.#rows.delete(this.#rows.keys().next().value!);
    return true;
  }
}
