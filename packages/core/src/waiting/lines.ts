import { Arrival } from './arrival.js';
import { Line } from './line.js';
import type { Order } from './order.js';
import type { Checked, Work } from './work.js';

/** The lines by their keys. A line that is empty is dropped. */
export class Lines<T extends Checked> {
  readonly #isAdmitted: (answer: T) => boolean;
  readonly #lines = new Map<string, Line<T>>();

  constructor(isAdmitted: (answer: T) => boolean) {
    this.#isAdmitted = isAdmitted;
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  find(key: string): Line<T> | undefined {
    return this.#lines.get(key);
  }

  /**
   * The line of a key, which work must enter immediately.
   *
   * @param most checks of it that may be in flight
   * @param newOrder makes the order in which its work asks. @default that of its arrival
   */
  open(key: string, most: number, newOrder?: () => Order<T>): Line<T> {
    return this.#lines.get(key) ?? this.#add(key, most, newOrder?.() ?? new Arrival());
  }

  /** Answers all work. */
  async close(): Promise<void> {
    for (const line of this.#lines.values()) await line.close();
  }

  /** Answers some of the work. */
  async leave(isTheirs: (work: Work<T>) => boolean): Promise<void> {
    for (const line of this.#lines.values()) await line.leave(isTheirs);
  }

  #add(key: string, most: number, order: Order<T>): Line<T> {
    const onEmpty = () => void this.#lines.delete(key);
    const line = new Line<T>({ most, isAdmitted: this.#isAdmitted, onEmpty }, order);
    this.#lines.set(key, line);
    return line;
  }
}
