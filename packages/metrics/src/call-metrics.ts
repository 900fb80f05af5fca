import type { AttributeValues, StoreCallEvent } from '@sluice/core/internal';
import { errorType, OTHER_ERROR } from './error-type.js';
import { Histogram } from './histogram.js';
import { bucketsOf } from './instruments.js';
import type { OnValue, Point } from './point.js';

const DURATION = bucketsOf('sluice.call.duration');
const REQUESTS = bucketsOf('sluice.call.requests');

/** Addresses of a Cluster that are named. A resharded Cluster has new ones, and nothing removes the old ones. */
const MAX_PRIMARIES = 100;

interface CallDuration {
  readonly attributes: AttributeValues;
  readonly value: Histogram;
}

/** How long calls to Redis took, and how many requests each carried. */
export class CallMetrics {
  readonly #durations = new Map<string, CallDuration>();
  readonly #requests = new Histogram(REQUESTS);
  readonly #primaries = new Set<string>();
  #lateRequests = 0;
  readonly #onValue: OnValue;

  constructor(onValue: OnValue) {
    this.#onValue = onValue;
    // A series that begins with its first event is one event short in `increase()`.
    this.#durationOf('answered');
    this.#durationOf('failed', OTHER_ERROR);
    this.#durationOf('late');
  }

  count({ duration, groups, outcome, problem, primary }: StoreCallEvent): void {
    const error = outcome === 'failed' ? errorType(problem) : undefined;
    const { attributes, value } = this.#durationOf(outcome, error, this.#named(primary));
    value.record(duration / 1e3);
    this.#requests.record(groups);
    // Redis may run a call whose connection was lost. Its own errors have a code, and charge nothing.
    if (outcome === 'late' || error === OTHER_ERROR) this.#lateRequests += groups;
    this.#onValue('sluice.call.duration', duration / 1e3, attributes);
    this.#onValue('sluice.call.requests', groups, {});
  }

  durations(): readonly Point[] {
    return [...this.#durations.values()];
  }

  requests(): readonly Point[] {
    return [{ attributes: {}, value: this.#requests }];
  }

  lateRequests(): readonly Point[] {
    return [{ attributes: {}, value: this.#lateRequests }];
  }

  #durationOf(outcome: StoreCallEvent['outcome'], error?: string, primary?: string): CallDuration {
    const name = `${outcome} ${error} ${primary}`;
    let known = this.#durations.get(name);
    if (known === undefined) {
      known = {
        attributes: {
          'sluice.call.outcome': outcome,
          ...(error !== undefined && { 'error.type': error }),
          ...(primary !== undefined && { 'server.address': primary }),
        },
        value: new Histogram(DURATION),
      };
      this.#durations.set(name, known);
    }
    return known;
  }

  #named(primary: string | undefined): string | undefined {
    if (primary === undefined || this.#primaries.has(primary)) return primary;
    if (this.#primaries.size >= MAX_PRIMARIES) return '_other';
    this.#primaries.add(primary);
    return primary;
  }
}
