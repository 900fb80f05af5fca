import { Trial } from '../limits/trial.js';
import type { Client } from './client.js';
import { DENIED, DENIED_NOW } from './demand.js';
import type { Recording } from './recording.js';
import type { ReplayedRequest, ReplayTier } from './replayed-request.js';
import type { Timeline } from './timeline.js';

export interface VerdictsSetup {
  readonly candidate: readonly ReplayTier[];
  /** Undefined without limits to compare with. */
  readonly current: readonly ReplayTier[] | undefined;
  /** The order within a second is known, the times are not: each answer is given twice. */
  readonly isWholeSeconds: boolean;
}

export type ReplayTrial = Trial<ReplayedRequest>;

const REFUSED = 429;
const SECOND = 1_000;

/** What limits decide about the requests of a log, one after the other. */
export class Verdicts {
  readonly candidate: ReplayTrial;
  readonly current: ReplayTrial | undefined;
  /** With the requests of each second spread over it. Undefined for a log with finer times. */
  readonly spread: { readonly candidate: ReplayTrial; readonly current: ReplayTrial | undefined } | undefined;
  /** Requests that were answered with 429 when they were logged. */
  refused = 0;
  /** Those of them that the candidate admits. */
  refusedAndAdmitted = 0;
  /** Requests that the candidate denies, and the current limits admit. */
  newlyDenied = 0;
  readonly #timeline: Timeline;

  constructor(timeline: Timeline, { candidate, current, isWholeSeconds }: VerdictsSetup) {
    const make = (place: number) => ({
      candidate: new Trial(candidate, place),
      current: current && new Trial(current, place + 1),
    });
    this.#timeline = timeline;
    ({ candidate: this.candidate, current: this.current } = make(0));
    this.spread = isWholeSeconds ? make(2) : undefined;
  }

  /**
   * @param second requests of one second, in order
   * @param mayBeDenied false for a client that no tier can deny
   */
  add(second: readonly ReplayedRequest[], mayBeDenied: (client: Client) => boolean = () => true): void {
    for (const [index, request] of second.entries()) {
      if (!mayBeDenied(request.client)) {
        this.#countRefused(request, true);
        continue;
      }
      this.#decide(request);
      if (this.spread === undefined) continue;
      const time = Math.floor(request.time / SECOND) * SECOND + ((index + 0.5) / second.length) * SECOND;
      this.spread.candidate.decide(request, time, request.units);
      this.spread.current?.decide(request, time, request.units);
    }
  }

  /** Adds the requests of a recording. Functions of tiers would find fields missing. */
  addAll(recording: Recording, mayBeDenied: (client: Client) => boolean): void {
    let second: ReplayedRequest[] = [];
    recording.visit(
      () => true,
      (recorded) => {
        const request = recorded as ReplayedRequest;
        if (second.length > 0 && Math.floor(second[0]!.time / SECOND) !== Math.floor(request.time / SECOND)) {
          this.add(second, mayBeDenied);
          second = [];
        }
        second.push(request);
        return true;
      },
    );
    this.add(second, mayBeDenied);
  }

  #decide(request: ReplayedRequest): void {
    const { client, time, units } = request;
    const decision = this.candidate.decide(request, time, units);
    const isDeniedNow = this.current?.decide(request, time, units).allowed === false;
    this.#countRefused(request, decision.allowed);
    if (isDeniedNow) {
      client.deniedNow += 1;
      this.#timeline.add(time, DENIED_NOW);
    }
    if (decision.allowed) return;
    if (!isDeniedNow) this.newlyDenied += 1;
    client.denied += 1;
    this.#timeline.add(time, DENIED);
    client.denials ??= new Map();
    for (const { tier, allowed, shadow, limit } of decision.outcomes) {
      if (!allowed && !shadow) client.denials.set(tier, limit);
    }
  }

  #countRefused({ status }: ReplayedRequest, isAdmitted: boolean): void {
    if (status !== REFUSED) return;
    this.refused += 1;
    if (isAdmitted) this.refusedAndAdmitted += 1;
  }
}
