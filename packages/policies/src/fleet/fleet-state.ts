import type { Override } from '../overrides/index.js';

/** A text with its author. */
export interface AppliedText {
  readonly text: string;
  readonly by: string;
  /** Milliseconds since 1970 by the clock of Redis. */
  readonly at: number;
  readonly reason: string;
}

/** What Redis has. */
export interface FleetState {
  /** Milliseconds since 1970 by the clock of Redis. */
  readonly now: number;
  /** 0: nothing was applied. */
  readonly version: number;
  readonly sha: string;
  /** Undefined if nothing was applied, or another program has written in its place: then the next one mends it. */
  readonly text: AppliedText | undefined;
  /** When something was changed last, in milliseconds since 1970: later after each change. 0: nothing was. */
  readonly changes: number;
  readonly overrides: readonly FleetOverride[];
}

/** An override of an operator. */
export interface FleetOverride extends Override {
  /** When it was set, in milliseconds since 1970 by the clock of Redis. Absent in those that an earlier version has set. */
  readonly at?: number;
  /** A fingerprint of the secret that its digest was made with. */
  readonly fingerprint?: string;
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
  /** The last change that it has read: `changes` of a state. */
  readonly changes: number;
  /** Why it does not have the version of Redis. */
  readonly problem?: string | undefined;
}

export interface FleetProcess extends Omit<ProcessFacts, 'id'> {
  /** Milliseconds since it was heard. */
  readonly silent: number;
}
