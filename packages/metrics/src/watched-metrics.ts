import {
  type IdentityOptions,
  type Inspection,
  isSluiceError,
  type Key,
  type Limiter,
  type TierChoice,
  warn,
} from '@sluice/core/internal';
import type { NumberPoint } from './point.js';

/** An identity whose use of its limits is a metric. */
export interface WatchedIdentity extends IdentityOptions, TierChoice {
  /** Its name in metrics, different from the others. It is public: write `partner-a`, and no address. */
  readonly name: string;
  readonly limiter: Pick<Limiter<never>, 'of'>;
  readonly identity: Key;
}

/** A scrape looks again after this time. */
const FRESH_MS = 5_000;

/** What part of their limits some identities have used. Looks when it is read, and charges nothing. */
export class WatchedMetrics {
  readonly #watched: readonly WatchedIdentity[];
  readonly #clock: () => number;
  #points: Promise<readonly NumberPoint[]> | undefined;
  #lookedAt = -Infinity;

  /** @param clock monotonic, in milliseconds */
  constructor(watched: readonly WatchedIdentity[], clock: () => number) {
    this.#watched = watched;
    this.#clock = clock;
  }

  points(): Promise<readonly NumberPoint[]> {
    const now = this.#clock();
    if (this.#points === undefined || now - this.#lookedAt >= FRESH_MS) {
      this.#lookedAt = now;
      this.#points = Promise.all(this.#watched.map(usedBy)).then((points) => points.flat());
    }
    return this.#points;
  }
}

async function usedBy(watched: WatchedIdentity): Promise<readonly NumberPoint[]> {
  const { name, limiter, identity, partition, limit: own, tiers } = watched;
  const budgets = limiter.of(identity, { partition, limit: own });
  const inspections = await budgets.inspect({ tiers }).catch((error: unknown) => nothing(name, error));
  return inspections.map(({ outcome: { tier, allowed, limit, remaining } }) => ({
    attributes: { 'sluice.watched': name, 'sluice.tier': tier },
    value: limit === 0 ? Number(!allowed) : (limit - remaining) / limit,
  }));
}

/** During an outage an old number is worse than a gap. */
function nothing(name: string, error: unknown): readonly Inspection[] {
  if (isSluiceError(error) && error.code === 'USAGE_INVALID') {
    warn('SLUICE_NOT_WATCHED', `collectMetrics: watch shows nothing of ${name}: ${error.message}`);
  }
  return [];
}
