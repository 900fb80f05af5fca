import { Trial } from '../limits/trial.js';
import type { Client } from './client.js';
import type { Demand } from './demand.js';
import { isByRequest, isByWindow, type ReplayedRequest, type ReplayTier } from './replayed-request.js';
import { spreadTimes } from './spread-times.js';
import { Timeline } from './timeline.js';
import { ROWS_A_TURN, turn } from './turn.js';

export interface VerdictsSetup {
  readonly candidate: readonly ReplayTier[];
  /** Undefined without limits to compare with. */
  readonly current: readonly ReplayTier[] | undefined;
  /** The order within a second is known, the times are not: each answer is given twice. */
  readonly isWholeSeconds: boolean;
}

export type ReplayTrial = Trial<ReplayedRequest>;

interface Trials {
  readonly candidate: ReplayTrial;
  readonly current: ReplayTrial | undefined;
}

/** The series of the timeline. */
export const DEMAND = 0;
export const DENIED = 1;
export const DENIED_NOW = 2;
/** From here on those of the tiers of the candidate. */
export const TIERS = 3;

const REFUSED = 429;

/** What limits decide about the requests of a log, one after the other. */
export class Verdicts {
  readonly candidate: ReplayTrial;
  readonly current: ReplayTrial | undefined;
  /** With the requests of each second spread over it. Undefined for a log with finer times. */
  readonly spread: Trials | undefined;
  readonly timeline: Timeline;
  /** Requests that were answered with 429 when they were logged. */
  refused = 0;
  /** Requests that the candidate denies, and the current limits admit. */
  newlyDenied = 0;
  /** Of the tiers of the candidate in the timeline. */
  readonly #series: ReadonlyMap<string, number>;
  readonly #hasShadows: boolean;
  readonly #demand: Demand;
  readonly #tiers: readonly ReplayTier[];
  /** Requests that were answered with 429, and are denied by the candidate. */
  #refusedAgain = 0;

  constructor(demand: Demand, { candidate, current, isWholeSeconds }: VerdictsSetup) {
    const make = (place: number): Trials => ({
      candidate: new Trial(candidate, place),
      current: current && new Trial(current, place + 1),
    });
    ({ candidate: this.candidate, current: this.current } = make(0));
    this.timeline = new Timeline(demand.first, demand.last, TIERS + this.candidate.tiers.length);
    this.spread = isWholeSeconds ? make(2) : undefined;
    this.#series = new Map(this.candidate.tiers.map(({ name }, place) => [name, TIERS + place]));
    this.#hasShadows = this.candidate.tiers.some(({ shadow }) => shadow);
    this.#demand = demand;
    this.#tiers = [...candidate, ...(current ?? [])];
  }

  /** Requests that were answered with 429 when they were logged, and are admitted by the candidate. */
  get refusedAndAdmitted(): number {
    return this.refused - this.#refusedAgain;
  }

  /** Decides all requests. @throws the reason of the signal */
  async decide(signal: AbortSignal): Promise<void> {
    const demand = this.#demand;
    const { times, statuses, size } = demand.table;
    for (let row = 0; row < size; row += 1) {
      this.timeline.add(times[row]!, DEMAND);
      if (statuses[row] === REFUSED) this.refused += 1;
    }
    const spread = this.spread && spreadTimes(demand.table);
    let decided = 0;
    for (const rows of this.#undecided()) {
      for (const row of rows) {
        if (decided % ROWS_A_TURN === 0) await turn(signal);
        decided += 1;
        const request = demand.requestAt(row);
        if (!this.#decide(request) && request.status === REFUSED) this.#refusedAgain += 1;
        if (spread === undefined) continue;
        this.spread!.candidate.decide(request, spread[row]!, request.units);
        this.spread!.current?.decide(request, spread[row]!, request.units);
      }
    }
  }

  /**
   * The rows of clients that may be denied, one client after the other: the processor caches the states of one. Functions of
   * requests may count clients together, and get all requests in order of time.
   */
  #undecided(): readonly Uint32Array[] {
    const demand = this.#demand;
    if (this.#tiers.some(isByRequest)) return [Uint32Array.from({ length: demand.requests }, (_, row) => row)];
    const isSure = this.#tiers.every(isByWindow);
    return demand.clients.filter((client) => !isSure || this.#isBusy(client)).map((client) => demand.rowsOf(client));
  }

  /** False for a client that stays at half of each limit. */
  #isBusy(client: Client): boolean {
    const tiers = [...this.candidate.tiers, ...(this.current?.tiers ?? [])];
    return tiers.some(({ limit, window }) => this.#demand.mostIn(window, client) > limit! / 2);
  }

  /** Returns whether the candidate admits a request. */
  #decide(request: ReplayedRequest): boolean {
    const { client, time, units } = request;
    const decision = this.candidate.decide(request, time, units);
    const isDeniedNow = this.current?.decide(request, time, units).allowed === false;
    if (isDeniedNow) {
      client.deniedNow += 1;
      this.timeline.add(time, DENIED_NOW);
    }
    if (!decision.allowed || this.#hasShadows) {
      for (const { tier, allowed } of decision.outcomes) if (!allowed) this.timeline.add(time, this.#series.get(tier)!);
    }
    if (decision.allowed) return true;
    if (!isDeniedNow) this.newlyDenied += 1;
    client.denied += 1;
    this.timeline.add(time, DENIED);
    client.denials ??= new Map();
    for (const { tier, allowed, shadow, limit } of decision.outcomes) {
      if (!allowed && !shadow) client.denials.set(tier, limit);
    }
    return false;
  }
}
