import { Trial } from '../limits/trial.js';
import type { LoggedRequest } from '../logs/logged-request.js';
import { Clients, type KeyKind } from './clients.js';
import { Recording } from './proposal.js';
import { Timeline } from './timeline.js';
import type { ReplayedRequest, ReplayTier } from './replayed-request.js';

export interface ReplaySetup {
  readonly kind: KeyKind;
  readonly candidate: readonly ReplayTier[];
  /** Undefined without limits to compare with. */
  readonly current: readonly ReplayTier[] | undefined;
  /** The order within a second is known, the times are not: each answer is given twice. */
  readonly isWholeSeconds: boolean;
  readonly hasCosts: boolean;
  /** Stores the requests, to look for other limits afterwards. */
  readonly isRecorded: boolean;
}

export type ReplayTrial = Trial<ReplayedRequest>;

/** The series of the timeline. */
export const DEMAND = 0;
export const DENIED = 1;
export const DENIED_NOW = 2;

const REFUSED = 429;
const SECOND = 1_000;

/** Requests of a log, decided one after the other. */
export class Replay {
  readonly setup: ReplaySetup;
  readonly candidate: ReplayTrial;
  readonly current: ReplayTrial | undefined;
  /** With the requests of each second spread over it. Undefined for a log with finer times. */
  readonly spread: { readonly candidate: ReplayTrial; readonly current: ReplayTrial | undefined } | undefined;
  readonly clients: Clients;
  readonly timeline = new Timeline(3);
  readonly recording: Recording | undefined;
  /** Milliseconds since 1970. */
  first = Number.NaN;
  last = Number.NaN;
  requests = 0;
  /** Requests without the field of `--key`. */
  unidentified = 0;
  /** Requests without the field of `--cost`, or with one that is no cost. They cost 1. */
  withoutCost = 0;
  /** Requests that were answered with 429 when they were logged. */
  refused = 0;
  /** Those of them that the candidate admits. */
  refusedAndAdmitted = 0;
  /** Requests that the candidate denies, and the current limits admit. */
  newlyDenied = 0;

  constructor(setup: ReplaySetup) {
    const { candidate, current } = setup;
    const make = (place: number) => ({
      candidate: new Trial(candidate, place),
      current: current && new Trial(current, place + 1),
    });
    this.setup = setup;
    ({ candidate: this.candidate, current: this.current } = make(0));
    this.spread = setup.isWholeSeconds ? make(2) : undefined;
    this.clients = new Clients(
      setup.kind,
      this.candidate.tiers.map(({ window }) => window),
    );
    this.recording = setup.isRecorded ? new Recording() : undefined;
  }

  /** @param second requests of one second, in order */
  add(second: readonly LoggedRequest[]): void {
    for (let index = 0; index < second.length; index += 1) {
      const request = second[index]!;
      const client = this.clients.of(request);
      if (client === undefined) {
        this.unidentified += 1;
        continue;
      }
      const replayed = request as ReplayedRequest;
      replayed.client = client;
      this.#decide(replayed, this.#costOf(request));
      if (this.spread === undefined) continue;
      const time = Math.floor(request.time / SECOND) * SECOND + ((index + 0.5) / second.length) * SECOND;
      const cost = this.setup.hasCosts ? (costIn(request) ?? 1) : 1;
      this.spread.candidate.decide(replayed, time, cost);
      this.spread.current?.decide(replayed, time, cost);
    }
  }

  #decide(request: ReplayedRequest, cost: number): void {
    const { client, time, status } = request;
    if (this.requests === 0) this.first = time;
    this.last = time;
    this.requests += 1;
    client.requests += 1;
    for (const window of client.windows) window.add(time, cost);
    this.timeline.add(time, DEMAND);
    this.recording?.add(client, time, cost);
    const decision = this.candidate.decide(request, time, cost);
    const isDeniedNow = this.current?.decide(request, time, cost).allowed === false;
    if (status === REFUSED) {
      this.refused += 1;
      if (decision.allowed) this.refusedAndAdmitted += 1;
    }
    if (isDeniedNow) {
      client.deniedNow += 1;
      this.timeline.add(time, DENIED_NOW);
    }
    if (decision.allowed) return;
    if (!isDeniedNow) this.newlyDenied += 1;
    client.denied += 1;
    this.timeline.add(time, DENIED);
    client.denials ??= new Map();
    for (const { tier, allowed, shadow, limit } of decision.outcomes) {
      if (!allowed && !shadow) client.denials.set(tier, limit);
    }
  }

  #costOf(request: LoggedRequest): number {
    if (!this.setup.hasCosts) return 1;
    const cost = costIn(request);
    if (cost === undefined) this.withoutCost += 1;
    return cost ?? 1;
  }
}

const MAX_COST = 2 ** 32 - 1;

/** Undefined for a field that is missing, or no whole number of units. */
function costIn({ cost }: LoggedRequest): number | undefined {
  const units = cost === '' ? Number.NaN : Number(cost);
  return Number.isInteger(units) && units >= 0 && units <= MAX_COST ? units : undefined;
}
