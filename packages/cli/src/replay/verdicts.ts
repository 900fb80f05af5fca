import { Trial } from '../limits/trial.js';
import type { Client } from './client.js';
import type { Demand } from './demand.js';
import { isByWindow, type ReplayedRequest, type ReplayTier } from './replayed-request.js';
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
const SECOND = 1_000;

/** What limits decide about the requests of a log, one after the other. */
export class Verdicts {
  readonly candidate: ReplayTrial;
  readonly current: ReplayTrial | undefined;
  /** With the requests of each second spread over it. Undefined for a log with finer times. */
  readonly spread: Trials | undefined;
  readonly timeline: Timeline;
  /** Requests that were answered with 429 when they were logged. */
  refused = 0;
  /** Those of them that the candidate admits. */
  refusedAndAdmitted = 0;
  /** Requests that the candidate denies, and the current limits admit. */
  newlyDenied = 0;
  /** Of the tiers of the candidate in the timeline. */
  readonly #series: ReadonlyMap<string, number>;
  readonly #hasShadows: boolean;
  readonly #demand: Demand;
  /** Busiest windows tell which clients the tiers spare. */
  readonly #isSure: boolean;

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
    this.#isSure = [...candidate, ...(current ?? [])].every(isByWindow);
  }

  /** Decides all requests. @throws the reason of the signal */
  async decide(signal: AbortSignal): Promise<void> {
    const demand = this.#demand;
    const { times, clients, statuses, size } = demand.table;
    const mayBeDenied = this.#mayBeDenied();
    const secondAt = (row: number) => Math.floor(times[row]! / SECOND);
    // Of the second of a row.
    let [first, end] = [0, 0];
    for (let row = 0; row < size; row += 1) {
      if (row % ROWS_A_TURN === 0) await turn(signal);
      this.timeline.add(times[row]!, DEMAND);
      const isRefused = statuses[row] === REFUSED;
      this.refused += Number(isRefused);
      if (row === end) for (first = end; end < size && secondAt(end) === secondAt(first);) end += 1;
      if (mayBeDenied[clients[row]!] === 0) {
        this.refusedAndAdmitted += Number(isRefused);
        continue;
      }
      const request = demand.requestAt(row);
      const isAdmitted = this.#decide(request);
      this.refusedAndAdmitted += Number(isRefused && isAdmitted);
      if (this.spread === undefined) continue;
      const time = secondAt(row) * SECOND + ((row - first + 0.5) / (end - first)) * SECOND;
      this.spread.candidate.decide(request, time, request.units);
      this.spread.current?.decide(request, time, request.units);
    }
  }

  /** By client. Those that stay at half of each limit are not decided. */
  #mayBeDenied(): Uint8Array {
    const tiers = [...this.candidate.tiers, ...(this.current?.tiers ?? [])];
    const isAbove = (client: Client) =>
      tiers.some(({ limit, window }) => this.#demand.mostIn(window, client) > limit! / 2);
    return Uint8Array.from(this.#demand.clients, (client) => Number(!this.#isSure || isAbove(client)));
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
