import { tracksOf, type Decision } from '@sluice/core';
import type { Tail, TailEntry } from './messages.js';
import { shownDigest } from './top-identities.js';

/** Entries a second: of denied requests, and of the others. */
const SAMPLED = 10;

interface Sample {
  readonly at: number;
  readonly entry: Omit<TailEntry, 'age'>;
}

/** A sample of the newest decisions, taken while a page is open. */
export class DecisionTail {
  #denied: Sample[] = [];
  #others: Sample[] = [];
  /** Decisions until the last call of `take`. */
  #taken = 0;

  /** @param at milliseconds since the start */
  add(at: number, decision: Decision): void {
    const samples = decision.allowed ? this.#others : this.#denied;
    if (samples.length < SAMPLED) samples.push({ at, entry: entryOf(decision) });
  }

  /**
   * What has come since the last call, oldest first.
   *
   * @param decisions all of them, since the start
   */
  take(now: number, decisions: number): Tail {
    const samples = [...this.#denied, ...this.#others].toSorted((one, other) => one.at - other.at);
    const dropped = decisions - this.#taken - samples.length;
    this.#denied = [];
    this.#others = [];
    this.#taken = decisions;
    return { entries: samples.map(({ at, entry }) => ({ age: Math.round(now - at), ...entry })), dropped };
  }
}

function entryOf(decision: Decision): Omit<TailEntry, 'age'> {
  const { source, deniedBy, binding } = decision;
  // No limiter sheds a request.
  const reason = decision.reason as TailEntry['reason'];
  const tiers = deniedBy.length > 0 ? deniedBy : binding ? [binding.tier] : [];
  const track = tracksOf(decision).find(({ tier }) => tier === tiers[0]);
  if (track === undefined) return { reason, source, tiers };
  const label = track.label === undefined ? {} : { label: track.label };
  return { reason, source, tiers, digest: shownDigest(track.digest), ...label };
}
