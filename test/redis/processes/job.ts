import type { PolicyOptions } from '@sluice/core';

/** Checks that a process sends in rounds: those of a round in one turn, the next round after all answers. */
export interface Job {
  claims: { tier: string; key: string; policy: PolicyOptions; charge?: 'denied' }[];
  /** The costs of the checks of one round. */
  costs: number[];
  rounds: number;
}

export interface Work {
  checks: number;
  admitted: number;
  /** The costs of all admitted checks. */
  units: number;
}
