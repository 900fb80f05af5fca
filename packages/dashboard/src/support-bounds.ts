import type { Duration } from '@sluice/core';
import type { OptionRows } from '@sluice/http/adapter';
import type { Override } from '@sluice/policies/overrides';
import type { TierState } from '@sluice/metrics/operations';
import { mayAct, type Caller } from './api/role.js';
import { HttpFailure } from './http-failure.js';

/** How far the role `support` may go. The role `admin` has no bounds. */
export interface SupportBounds {
  /** For how long a limit may differ from that of the tier. @default '90d' */
  readonly lasts?: Duration;
  /**
   * How many times as large as the limit of the tier, or as that of its largest plan, a limit may be. Where a function of the request
   * returns the limit, no limit is known, and `support` may pause.
   *
   * @default 10
   */
  readonly times?: number;
  /** Units of one credit. @default 1_000_000 */
  readonly units?: number;
}

export const SUPPORT_ROWS = {
  lasts: { milliseconds: { range: '1 min to 10 years', min: 6e7, max: 3.1536e14, example: "'30d'" }, otherwise: '90d' },
  times: { integer: [1, 1e6], otherwise: 10 },
  units: { integer: [1, 2 ** 52], otherwise: 1e6 },
} as const satisfies OptionRows;

/** Bounds that were checked. */
export type ReadBounds = Readonly<Record<keyof typeof SUPPORT_ROWS, number>>;

/** What a caller may set. */
interface Bounds {
  /** Milliseconds since 1970. */
  readonly latest: number;
  readonly most: number;
}

const NONE: Bounds = { latest: Infinity, most: Infinity };

/** Refuses what is beyond the bounds of a caller. */
export class BoundsOfRoles {
  readonly #bounds: ReadBounds;

  constructor(bounds: ReadBounds) {
    this.#bounds = bounds;
  }

  /** @throws HttpFailure 403 */
  checkUnits(caller: Caller, units: number): void {
    if (mayAct(caller, 'admin') || units <= this.#bounds.units) return;
    throw new HttpFailure(403, `a credit of more than ${this.#bounds.units} units needs the role admin`);
  }

  /** Checks a limit, and what is in force in its place. */
  for(caller: Caller, { tier, inspection: { readAt } }: TierState): BoundsOfTier {
    if (mayAct(caller, 'admin')) return new BoundsOfTier(tier.name, NONE);
    const limits = [tier.limit, ...Object.values(tier.plans ?? {})].filter((limit) => typeof limit === 'number');
    // Nothing but a pause where no limit is known.
    const most = limits.length === 0 ? 0 : Math.floor(Math.max(...limits) * this.#bounds.times);
    return new BoundsOfTier(tier.name, { latest: readAt + this.#bounds.lasts, most });
  }
}

/** What one caller may set in one tier. */
export class BoundsOfTier {
  readonly #tier: string;
  readonly #bounds: Bounds;

  constructor(tier: string, bounds: Bounds) {
    this.#tier = tier;
    this.#bounds = bounds;
  }

  /** @param until undefined for a limit without an end @throws HttpFailure 403 */
  check(limit: number | null, until: number | undefined): void {
    const { latest, most } = this.#bounds;
    if (latest === Infinity) return;
    if (until === undefined) {
      throw new HttpFailure(403, 'a limit without an end needs the role admin: send lasts or until');
    }
    if (until > latest) {
      const end = new Date(Math.floor(latest)).toISOString();
      throw new HttpFailure(403, `a limit that ends after ${end} needs the role admin: send an earlier end`);
    }
    if (limit === null || limit > most) {
      const remedy = most === 0 ? 'no limit of it is known here' : `send at most ${most}`;
      throw new HttpFailure(403, `this limit of ${this.#tier} needs the role admin: ${remedy}`);
    }
  }

  /** Who may not set a limit may not end or replace it. @throws HttpFailure 403 */
  checkHeld(held: Pick<Override, 'limit' | 'until'> | undefined): void {
    const { latest, most } = this.#bounds;
    if (held === undefined || latest === Infinity) return;
    const { limit, until = Infinity } = held;
    if (until <= latest && limit !== null && limit <= most) return;
    const what = until === Infinity ? 'has no end' : until > latest ? 'ends too late' : 'has too large a limit';
    const rule = `this client has an override that ${what} for the role support`;
    throw new HttpFailure(403, `${rule}: to replace or end it needs the role admin`);
  }
}
