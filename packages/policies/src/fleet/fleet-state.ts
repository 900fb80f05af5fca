import type { Override } from '@sluice/core/overrides';

/** A text with its author. */
export interface AppliedText {
  readonly text: string;
  readonly by: string;
  /** Milliseconds since 1970 by the clock of Redis. */
  readonly at: number;
  readonly reason: string;
}

/** What Redis has, as far as a process does not have it. */
export interface FleetState {
  /** Milliseconds since 1970 by the clock of Redis. */
  readonly now: number;
  /** 0: nothing was applied. */
  readonly version: number;
  readonly sha: string;
  /** Undefined if it is known. */
  readonly text: AppliedText | undefined;
  /** Another number after each change of overrides. */
  readonly changes: number;
  /** Undefined if they are known. */
  readonly overrides: readonly Override[] | undefined;
}

export interface Proposal {
  readonly text: string;
  /** The version that its author has seen. 0: none. */
  readonly expected: number;
  readonly by: string;
  readonly reason: string;
}

export interface Applied {
  readonly version: number;
  readonly sha: string;
}

export interface Conflict {
  /** The version in force. */
  readonly conflict: number;
  readonly by: string;
  readonly reason: string;
}

export interface Version extends Omit<AppliedText, 'text'> {
  readonly version: number;
  readonly sha: string;
}

/** What a process tells the fleet. */
export interface ProcessFacts {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: number;
  readonly sha: string;
  /** In force there. */
  readonly overrides: number;
  /** The version of the overrides that it has read. */
  readonly changes: number;
  /** Why it does not have the version of Redis. */
  readonly problem?: string | undefined;
}

export interface FleetProcess extends Omit<ProcessFacts, 'id'> {
  /** Milliseconds since it was heard. */
  readonly silent: number;
}
