import type { Client } from './client.js';
import type { Demand } from './demand.js';
import { LEFT_OUT } from './kinds/request-flags.js';
import { LimiterStack, type ReplayLimiter } from './limiter-stack.js';
import { isByWindow, isPlainSliding, MAX_LOG_LIMIT } from './replayed-request.js';
import { Timeline } from './timeline.js';
import { ROWS_A_TURN, turn } from './turn.js';

export interface VerdictsSetup {
  /** Empty where no limit was given or found. */
  readonly candidate: readonly ReplayLimiter[];
  /** Undefined without limits to compare with. */
  readonly current: readonly ReplayLimiter[] | undefined;
  /** The order within a second is known, the times are not: each answer is given twice. */
  readonly isWholeSeconds: boolean;
}

interface Stacks {
  readonly candidate: LimiterStack;
  readonly current: LimiterStack | undefined;
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
  readonly candidate: LimiterStack;
  readonly current: LimiterStack | undefined;
  /** With the requests of each second spread over it. Undefined for a log with finer times. */
  readonly spread: Stacks | undefined;
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
  /** Names of tiers whose counts are not known without a trial. */
  readonly #isOther: ReadonlySet<string>;

  constructor(demand: Demand, { candidate, current, isWholeSeconds }: VerdictsSetup) {
    const limiters = [...candidate, ...(current ?? [])];
    const make = (place: number): Stacks => ({
      candidate: new LimiterStack(candidate, { firstRoute: 0, place }),
      current: current && new LimiterStack(current, { firstRoute: candidate.length, place: place + candidate.length }),
    });
    ({ candidate: this.candidate, current: this.current } = make(0));
    this.timeline = new Timeline(demand.first, demand.last, TIERS + this.candidate.tiers.length);
    this.spread = isWholeSeconds ? make(limiters.length) : undefined;
    this.#series = new Map(this.candidate.tiers.map(({ name }, place) => [name, TIERS + place]));
    this.#hasShadows = this.candidate.tiers.some(({ shadow }) => shadow);
    this.#demand = demand;
    const tiers = limiters.flatMap((limiter) => limiter.tiers);
    this.#isSure = tiers.every(isByWindow);
    this.#isOther = new Set(tiers.filter((tier) => !isPlainSliding(tier)).map(({ name }) => name));
  }

  /** Decides all requests. @throws the reason of the signal */
  async decide(signal: AbortSignal): Promise<void> {
    const demand = this.#demand;
    const { times, clients, statuses, flags, size } = demand.table;
    const mayBeDenied = this.#mayBeDenied();
    const secondAt = (row: number) => Math.floor(times[row]! / SECOND);
    // Of the second of a row.
    let [first, end] = [0, 0];
    for (let row = 0; row < size; row += 1) {
      if (row % ROWS_A_TURN === 0) await turn(signal);
      if (flags[row]! & LEFT_OUT) continue;
      this.timeline.add(times[row]!, DEMAND);
      const isRefused = statuses[row] === REFUSED;
      this.refused += Number(isRefused);
      if (row >= end) for (first = row, end = row; end < size && secondAt(end) === secondAt(first);) end += 1;
      if (mayBeDenied[clients[row]!] === 0) {
        this.refusedAndAdmitted += Number(isRefused);
        continue;
      }
      const isAdmitted = this.#decide(row, secondAt(row) * SECOND + ((row - first + 0.5) / (end - first)) * SECOND);
      this.refusedAndAdmitted += Number(isRefused && isAdmitted);
    }
  }

  /** By client. Those that no limit can deny are not decided. */
  #mayBeDenied(): Uint8Array {
    const { clients, selected } = this.#demand;
    const tiers = [...this.candidate.tiers, ...(this.current?.tiers ?? [])].map(({ name, limit, window }) => ({
      limit: limit!,
      window,
      // Of windows of whole seconds also where the requests of a second are spread over it: none leaves its window.
      isCounted: !this.#isOther.has(name) && limit! > MAX_LOG_LIMIT && window % SECOND === 0,
    }));
    const isAbove = (client: Client) =>
      selected.countOf(client) > 0 &&
      tiers.some(
        ({ limit, window, isCounted }) =>
          selected.mostIn(window, client) > limit / 2 && (!isCounted || selected.usedIn(window, client) > limit),
      );
    return Uint8Array.from(clients, (client) => Number(!this.#isSure || isAbove(client)));
  }

  /** Returns whether the candidate admits a request. @param spreadTime of the request, where those of a second are spread */
  #decide(row: number, spreadTime: number): boolean {
    const routes = this.#demand.table.routes?.[row];
    const request = this.#demand.requestAt(row);
    const { client, time } = request;
    this.spread?.candidate.decide(request, spreadTime, routes);
    this.spread?.current?.decide(request, spreadTime, routes);
    const decision = this.candidate.decide(request, time, routes);
    const isDeniedNow = this.current?.decide(request, time, routes).allowed === false;
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
    return false;
  }
}
