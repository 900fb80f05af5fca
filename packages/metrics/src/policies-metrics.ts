import type { NumberPoint } from './point.js';

/** What metrics read of policies. Those of `openPolicies` have it. */
export interface WatchedPolicies {
  status(): {
    readonly version: number | undefined;
    /** Milliseconds since 1970. */
    readonly checkedAt: number;
    readonly rejected: number;
    readonly problem: string | undefined;
    readonly overrides: number;
  };
}

type Status = ReturnType<WatchedPolicies['status']>;

/** The metrics of policies. */
export class PoliciesMetrics {
  readonly #policies: readonly (readonly [string, WatchedPolicies])[];

  constructor(policies: Readonly<Record<string, WatchedPolicies>>) {
    this.#policies = Object.entries(policies);
  }

  versions(): readonly NumberPoint[] {
    return this.#points(({ version = 0 }) => version);
  }

  ages(): readonly NumberPoint[] {
    return this.#points(({ checkedAt }) => Math.max(0, Date.now() - checkedAt) / 1e3);
  }

  outdated(): readonly NumberPoint[] {
    return this.#points(({ problem }) => (problem === undefined ? 0 : 1));
  }

  rejected(): readonly NumberPoint[] {
    return this.#points(({ rejected }) => rejected);
  }

  overrides(): readonly NumberPoint[] {
    return this.#points(({ overrides }) => overrides);
  }

  #points(valueOf: (status: Status) => number): readonly NumberPoint[] {
    return this.#policies.map(([name, policies]) => ({
      attributes: { 'sluice.policies': name },
      value: valueOf(policies.status()),
    }));
  }
}

export function arePolicies(policies: unknown): boolean {
  const isMap = typeof policies === 'object' && policies !== null;
  return (
    isMap &&
    Object.values(policies).every((each) => typeof (each as Partial<WatchedPolicies> | null)?.status === 'function')
  );
}
