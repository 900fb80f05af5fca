import type { Curve } from './curve.js';
import type { Kind } from './kinds/kind.js';
import type { Swarm } from './kinds/swarms.js';
import type { Proposal } from './proposals.js';

/** Whose requests a part of the log has. */
export interface TrafficReport {
  readonly kind: Kind;
  readonly what: 'all' | 'pages' | 'files';
  readonly requests: number;
  readonly clients: number;
  /** The busiest client of the part, and the signs of its kind. */
  readonly busiest: string;
  readonly evidence: string;
}

export interface ProposalReport extends Omit<Proposal, 'decides'> {
  /** The client that decides, if a single one does. */
  readonly decides?: {
    readonly client: string;
    readonly kind: Kind;
    readonly evidence: string;
    readonly busiest: number;
    readonly without: number;
  };
  /** The limit if files were left out. Absent for a log with few of them. */
  readonly withoutFiles?: number;
  /** The program text to copy. */
  readonly write: string;
}

export type CurveReport = Curve;

export interface AttackReport {
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  readonly denied: number;
  /** How many clients. */
  readonly sources: number;
  /** The first of them. */
  readonly clients: readonly string[];
  readonly evidence: string;
  /** Of addresses that act as one. */
  readonly swarm?: SwarmReport;
}

export interface SwarmReport extends Pick<Swarm, 'isByForm' | 'page'> {
  /** The most requests that one of the addresses sends in a minute. */
  readonly most: number;
}

export interface ExemptionReport {
  readonly client: string;
  readonly kind: Kind;
  readonly evidence: string;
  readonly denied: number;
}
