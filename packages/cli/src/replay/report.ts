import type { AttackReport, CurveReport, ExemptionReport, ProposalReport, TrafficReport } from './advice-report.js';
import type { ClientReport } from './client-report.js';
import type { Reading } from './reading.js';
import type { Unfilled } from './proposals.js';
import type { SignInAdvice } from './sign-ins.js';

/** What limits did. */
export interface TrialReport {
  /** Requests. */
  readonly denied: number;
  /** With the requests of each second spread over it. Absent for a log with finer times. */
  readonly spreadDenied?: number;
  readonly identities: number;
  readonly tiers: readonly TierReport[];
}

export interface TierReport {
  readonly name: string;
  readonly shadow: boolean;
  /** Absent for a limit that is a function. */
  readonly limit?: number;
  /** Milliseconds. */
  readonly window: number;
  /** Requests that it denies, or would deny as a shadow. */
  readonly denied: number;
}

export interface BusiestReport {
  readonly tier: string;
  readonly window: number;
  readonly limit?: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly most: number;
  /** The lowest limit of the tier's algorithm that denies no client. Absent far below the limit, and where it takes many trials. */
  readonly needs?: number;
  /** How many clients have how many units in their busiest window, ascending, and how many of them are people. */
  readonly histogram: readonly (readonly [units: number, clients: number, people: number])[];
}

/** The client with the most requests. */
export interface Leader extends ClientReport {
  /** Its part of all requests, from 0 to 1. */
  readonly share: number;
  /** An address that no client on the internet has, such as that of a balancer. */
  readonly isPrivate: boolean;
  /** Different agents, of which a few are counted. */
  readonly agents: number;
}

/** The document of `--json`. */
export interface Report {
  /** That limits are tried on. */
  readonly requests: number;
  /** Of all lines. */
  readonly logged: number;
  readonly clients: number;
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly formats: readonly string[];
  readonly wholeSeconds: boolean;
  /** True where `X-Forwarded-For` names other clients than those that are counted. */
  readonly namesOthers: boolean;
  /** False for a log without `User-Agent`. */
  readonly hasAgents: boolean;
  readonly reading: Reading;
  readonly withoutCost: number;
  readonly refused: number;
  readonly refusedAndAdmitted: number;
  readonly leader: Leader;
  /** What `--only` and `--without` have chosen, in words. */
  readonly only: readonly string[];
  readonly withoutFiles: boolean;
  /** Clients have numbers in place of names. */
  readonly isAnonymous: boolean;
  readonly traffic: readonly TrafficReport[];
  readonly candidate: TrialReport;
  readonly current?: TrialReport;
  readonly newlyDeniedRequests: number;
  readonly newlyDenied: number;
  /** Those of them that are people. */
  readonly newlyDeniedPeople: number;
  readonly busiest: readonly BusiestReport[];
  /** True if the candidate has the proposed limits. */
  readonly isProposed: boolean;
  readonly proposals: readonly ProposalReport[];
  /** Windows for which the log is too short. */
  readonly unfilled: readonly Unfilled[];
  readonly proposeBelow?: number;
  readonly curves: readonly CurveReport[];
  readonly signIns?: SignInAdvice;
  readonly attacks: readonly AttackReport[];
  readonly exemptions: readonly ExemptionReport[];
  readonly top: readonly ClientReport[];
  /** People that are newly denied, the most denied first. */
  readonly people: readonly ClientReport[];
  readonly timeline: {
    readonly start: number;
    /** Milliseconds. */
    readonly width: number;
    readonly demand: readonly number[];
    readonly denied: readonly number[];
    readonly deniedNow: readonly number[];
    /** What each tier of the candidate denies, or would deny as a shadow. */
    readonly tiers: readonly (readonly number[])[];
  };
}
