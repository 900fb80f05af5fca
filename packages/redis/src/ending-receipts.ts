import { Deferred, type Receipt } from '@sluice/core/internal';
import type { GivenUnits } from './receipt-calls.js';

/** The receipts that end in one turn of the event loop. */
interface Turn {
  readonly receipts: Receipt[];
  readonly given: Deferred<GivenUnits>;
}

/**
 * Collects the receipts that end in one turn of the event loop, because many requests do: they are sent together. A
 * caller that waits for its units gets the result of its own receipts only.
 */
export class EndingReceipts {
  readonly #send: (receipts: readonly Receipt[]) => Promise<GivenUnits>;
  /** Undefined while no receipt ends. */
  #turn: Turn | undefined;

  /** @param send gives back the units of receipts; it does not reject */
  constructor(send: (receipts: readonly Receipt[]) => Promise<GivenUnits>) {
    this.#send = send;
  }

  /** Resolves with the sum of the units that came back, and rejects with the first error. */
  add(receipts: readonly Receipt[]): Deferred<number> {
    if (this.#turn === undefined) {
      this.#turn = { receipts: [], given: new Deferred() };
      setImmediate(() => this.flush());
    }
    const turn = this.#turn;
    const first = turn.receipts.length;
    for (const receipt of receipts) turn.receipts.push(receipt);
    return turn.given.chain((given) => sumOf(given, first, first + receipts.length));
  }

  /** Sends what has ended, and resolves when it was answered. */
  async ended(): Promise<void> {
    const given = this.#turn?.given;
    this.flush();
    await given?.catch(() => undefined);
  }

  /** Sends what has ended until now, so that a call that is sent next runs after it. */
  flush(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    turn.given.resolve(this.#send(turn.receipts));
  }
}

/** @throws the first error */
function sumOf(given: GivenUnits, first: number, end: number): number {
  let sum = 0;
  for (let index = first; index < end; index += 1) {
    const units = given[index]!;
    if (typeof units !== 'number') throw units;
    sum += units;
  }
  return sum;
}
