import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Decision } from '../../model/decision.js';
import { UsageError } from '../../model/errors.js';
import { show } from '../../options/show.js';
import { listenOnce } from '../../async/listen-once.js';
import { checkCosts, checkUnits } from '../tiers/arguments.js';
import { checkGrows, type Extension } from './extension.js';
import { namesOf } from './ledger.js';
import type { Costs } from './settlement.js';
import { TieredDecision } from './tiered-decision.js';

export interface MeterOptions {
  /** The tiers that count the stream, by name. */
  readonly tier: string | readonly string[];
  /** Units to charge ahead: one call to the store for each lot. */
  readonly lot: number;
  /**
   * What closes when the stream cannot go on, such as the response of Node, Express or Fastify (`reply.raw`), or a socket.
   * A meter that has not ended then settles what was added.
   *
   * @default the caller always ends the meter
   */
  readonly response?: Closing;
}

/** Something that emits `close` once. */
export interface Closing {
  readonly destroyed?: boolean;
  readonly closed?: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Counts a stream while it runs. */
export interface Meter {
  /** Units added so far. */
  readonly added: number;
  /**
   * Counts units that were used. False: the budget is used up, so send what you have and end the stream. A promise when a
   * lot has to be charged.
   *
   * @throws UsageError, as a rejection, for units that are not an integer of at least 0
   * @throws StoreError, as a rejection, when the store was closed
   */
  add(units: number): MaybePromise<boolean>;
  /**
   * Settles the decision, once. Later calls return the same.
   *
   * @param cost of the request for the tiers of the meter, or of tiers by name. @default the units added
   * @returns the units charged, less the units refunded, since the last lot
   */
  end(cost?: Costs): Promise<number>;
}

/** What a meter needs of a limiter. */
interface Charger {
  extend(decision: Decision, units: Extension): Promise<Decision>;
  settle(decision: Decision, cost: Costs): Promise<number>;
}

/** The meter of a limiter. */
export class LotMeter implements Meter {
  readonly #limiter: Charger;
  readonly #decision: Decision;
  readonly #lot: number;
  /** Units charged for each tier, by its name. A tier that the request was not charged to has none. */
  readonly #covered = new Map<string, number>();
  /** The balance that has paid for a tier, by the name of that tier. */
  readonly #payers = new Map<string, string>();
  #added = 0;
  /** Extensions follow each other. */
  #last: Promise<boolean> = Promise.resolve(true);
  #ended: Promise<number> | undefined;
  #stopListening = () => {};

  /**
   * @param limiter of the decision
   * @throws UsageError for a decision whose request does not run, or a lot below 1
   */
  constructor(limiter: Charger, decision: Decision, options: MeterOptions) {
    const ledger = TieredDecision.ledgerOf(decision, limiter);
    const names = meteredTiers(options);
    checkGrows('meter', decision, ledger, names);
    const { lot, response } = options;
    if (!Number.isSafeInteger(lot) || lot < 1) {
      throw new UsageError('USAGE_INVALID', `meter: lot must be an integer of at least 1, got ${show(lot)}`);
    }
    this.#limiter = limiter;
    this.#decision = decision;
    this.#lot = lot;
    for (const entry of ledger.entries()) {
      const name = namesOf(entry).find((each) => names.includes(each));
      if (name === undefined) continue;
      this.#covered.set(name, entry.units);
      this.#payers.set(name, entry.tier.name);
    }
    if (response === undefined) return;
    // A client that has gone already closes nothing any more.
    if (response.destroyed === true || response.closed === true) this.#endQuietly();
    else this.#stopListening = listenOnce(response, 'close', () => this.#endQuietly());
  }

  get added(): number {
    return this.#added;
  }

  add(units: number): MaybePromise<boolean> {
    try {
      checkUnits('meter: units', units);
    } catch (error) {
      return Promise.reject(error);
    }
    if (this.#ended) return false;
    this.#added += units;
    if (this.#isCovered()) return true;
    const cover = () => this.#cover();
    this.#last = this.#last.then(cover, cover);
    return this.#last;
  }

  end(cost: Costs = this.#added): Promise<number> {
    if (this.#ended) return this.#ended;
    const ended = this.#settle(cost);
    this.#ended = ended;
    ended.then(
      // A socket may outlive many streams.
      () => this.#stopListening(),
      // A cost that is no integer has settled nothing.
      () => (this.#ended = undefined),
    );
    return ended;
  }

  async #settle(cost: Costs): Promise<number> {
    checkCosts('meter: cost', cost);
    return this.#limiter.settle(this.#decision, this.#costs(cost));
  }

  #endQuietly(): void {
    // A closed store leaves the units charged.
    this.end().catch(() => undefined);
  }

  #costs(cost: Costs): Costs {
    const units = typeof cost === 'number' ? cost : this.#added;
    const own = Object.fromEntries([...this.#covered.keys()].map((name) => [name, units]));
    return typeof cost === 'number' ? own : { ...own, ...cost };
  }

  #isCovered(): boolean {
    for (const covered of this.#covered.values()) if (covered <= this.#added) return false;
    return true;
  }

  /** Charges lots, or the rest of a budget that has less left. */
  async #cover(): Promise<boolean> {
    if (this.#ended) return false;
    if (this.#isCovered()) return true;
    const lots = this.#missing((units) => Math.ceil(units / this.#lot) * this.#lot);
    const denial = await this.#extend(lots);
    if (denial === undefined || this.#ended) return !this.#ended;
    const rest = this.#missing((units, name) => {
      const left = denial.outcomes.find(({ tier }) => tier === this.#payers.get(name))?.remaining ?? 0;
      return left < units ? 0 : Math.min(lots[name]!, left);
    });
    return Object.values(rest).every((units) => units > 0) && (await this.#extend(rest)) === undefined && !this.#ended;
  }

  /** @param unitsOf units to charge for a tier that needs so many to be above what was added */
  #missing(unitsOf: (units: number, tier: string) => number): Extension {
    const missing: [tier: string, units: number][] = [];
    for (const [name, covered] of this.#covered) {
      if (covered <= this.#added) missing.push([name, unitsOf(this.#added + 1 - covered, name)]);
    }
    return Object.fromEntries(missing);
  }

  /** Undefined if it was admitted. */
  async #extend(extension: Extension): Promise<Decision | undefined> {
    const decision = await this.#limiter.extend(this.#decision, extension);
    if (!decision.allowed) return decision;
    for (const [name, units] of Object.entries(extension)) this.#covered.set(name, this.#covered.get(name)! + units);
    return undefined;
  }
}

/** @throws UsageError without a tier, which would count nothing */
export function meteredTiers(options: MeterOptions): readonly string[] {
  const { tier } = Object(options) as Partial<MeterOptions>;
  if (typeof tier === 'string') return [tier];
  if (Array.isArray(tier) && tier.length > 0) return tier as readonly string[];
  throw new UsageError('USAGE_INVALID', `meter: tier must name one tier or several, got ${show(tier)}`);
}
