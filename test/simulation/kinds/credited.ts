import type { Fleet } from '../fleet.js';

/** Credits of one client, each by its id. A call that fails may have been counted. */
export class Credited {
  readonly #fleet: Fleet;
  readonly #units: number;
  readonly #late: () => number;
  /** Whether Redis has surely counted an id. */
  readonly #ids = new Map<string, boolean>();
  /** Each id with the losses of data before it: Redis may have lost that it has counted one. */
  readonly #times = new Set<string>();
  /** When the last call has begun that has added units certainly. */
  creditedAt: number | undefined;
  /** Calls with ids that Redis may not have counted yet, and when the last of them has added its units. */
  #open = 0;
  #addedAt = -Infinity;
  #inFlight = 0;
  #isReconciling = false;
  /** A reconciliation may still arrive, and would forget credits that come now. */
  #isUnclear = false;

  /** @param units of each credit. @param late units that came back after a loss of data since they were spent */
  constructor(fleet: Fleet, units: number, late: () => number) {
    this.#fleet = fleet;
    this.#units = units;
    this.#late = late;
  }

  /** Units that Redis has counted certainly. */
  get least(): number {
    return this.#units * [...this.#ids.values()].filter(Boolean).length;
  }

  /** Units that it may have counted. */
  get most(): number {
    return this.#units * this.#times.size;
  }

  /** How often it may have counted an id. */
  get times(): number {
    return this.#times.size;
  }

  /** Units that a balance holds at most: a loss gives units back that were spent, and a refund gives them back again. */
  get #highest(): number {
    return this.most + this.#late();
  }

  /** Units may have been added since. */
  mayHaveAdded(since: number): boolean {
    return this.#open > 0 || this.#addedAt >= since;
  }

  async credit(id: string, call: () => Promise<{ readonly balance: number; readonly isNew: boolean }>): Promise<void> {
    const { world, losses } = this.#fleet;
    if (this.#isReconciling || this.#isUnclear) return;
    const isCounted = this.#ids.get(id) === true;
    if (!isCounted) this.#open += 1;
    const calledAt = world.now;
    this.#ids.set(id, this.#ids.get(id) ?? false);
    this.#times.add(`${id} ${losses.length}`);
    this.#inFlight += 1;
    try {
      const { balance: left, isNew } = await call();
      if (isNew) this.creditedAt = Math.max(calledAt, this.creditedAt ?? 0);
      this.#ids.set(id, true);
      if (!isCounted) [this.#open, this.#addedAt] = [this.#open - 1, world.now];
      if (left < 0 || left > this.#highest) world.fail(`a balance holds ${left} of ${this.#highest} after a credit`);
    } catch (error) {
      if (!isUnreachable(error)) world.fail(`a credit rejects: ${String(error)}`);
    }
    this.#inFlight -= 1;
  }

  /** The ledger knows all credits, and nothing of what was spent. */
  async reconcile(call: (units: number) => Promise<number>): Promise<void> {
    const { least, most } = this;
    if (this.#isReconciling || this.#isUnclear || this.#inFlight > 0 || least !== most) return;
    this.#isReconciling = true;
    try {
      const left = await call(least);
      const highest = this.#highest;
      if (left < 0 || left > highest)
        this.#fleet.world.fail(`a balance holds ${left} of ${highest} as a ledger has it`);
    } catch (error) {
      this.#isUnclear = true;
      if (!isUnreachable(error)) this.#fleet.world.fail(`a reconciliation rejects: ${String(error)}`);
    }
    this.#isReconciling = false;
  }
}

function isUnreachable(error: unknown): boolean {
  return (error as { code?: string }).code === 'STORE_UNAVAILABLE';
}
