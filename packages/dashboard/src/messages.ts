/**
 * What the routes of the dashboard say to the page and to `sluice top` and `tail`. Ages and durations are milliseconds;
 * there is no time of day, because clocks of browsers differ from those of servers. `null` stands for Infinity in JSON.
 */

import type { Act } from '@sluice/policies';
import type { Role } from './api/role.js';

/** The version of the messages. A page of another version loads itself again. */
export const VERSION = 3;

/** Decisions by reason, since the dashboard was created. */
export interface DecisionCounts {
  readonly ok: number;
  readonly denied: number;
  readonly never: number;
  readonly unavailable: number;
  /** Requests that a shedder has refused: no limiter decided about them, unless a tier had demoted them. */
  readonly shed: number;
}

/** Outcomes of a tier, since the dashboard was created. `near`: allowed, with a fifth of the limit left at most. */
export interface OutcomeCounts {
  readonly within: number;
  readonly near: number;
  readonly over: number;
  readonly never: number;
  /** Of a balance, which has neither of the first two. */
  readonly paid: number;
  readonly 'not-needed': number;
}

/** `GET api/state`: all that a page needs when it opens. */
export interface State extends Snapshot {
  readonly version: typeof VERSION;
  /** Who looks: the name of a person or of a token. */
  readonly by?: string;
  readonly role: Role;
  /** This caller can change nothing. */
  readonly readOnly: boolean;
  /** The limit of an identity can be overridden. */
  readonly canOverride: boolean;
  /** Digests are made with a secret. Without one, digests of addresses can be guessed. */
  readonly isKeyed: boolean;
  /** The last 15 minutes, and the last 24 hours. */
  readonly seconds: History;
  readonly minutes: History;
}

/** Decisions in slots of equal length, oldest first. All lists are equally long; the last slot is the last full one. */
export interface History {
  /** The length of a slot. */
  readonly step: number;
  readonly ok: readonly number[];
  readonly denied: readonly number[];
  readonly never: readonly number[];
  readonly unavailable: readonly number[];
  readonly shed: readonly number[];
  /** 1 for a slot in which the store did not answer a process, otherwise 0. */
  readonly outage: readonly (0 | 1)[];
}

/**
 * Event `tick`, each second: all counts are totals, so a page that has missed some is right again with the next. Its id is
 * the number of the second.
 */
export interface Snapshot {
  /** The number of the last full second, for finding gaps. */
  readonly second: number;
  /** Of all processes. */
  readonly decisions: DecisionCounts;
  /**
   * The last 60 seconds. A chart must read them instead of differences of totals: those of another process come in one
   * step when it is first heard of. Its seconds come up to four seconds late.
   */
  readonly recent: History;
  /** Of all processes. */
  readonly tiers: readonly TierState[];
  /** The identities that send and are denied most, in the last minute. */
  readonly top: Top;
  readonly health: Health;
  /** This one first. More than one with `fleet`. */
  readonly processes: readonly ProcessState[];
}

export interface TierState {
  readonly name: string;
  readonly shadow: boolean;
  /** In words: `600 a minute, sliding window`. */
  readonly policy: string;
  readonly limit: number | 'by-request';
  readonly outcomes: OutcomeCounts;
  /** Decisions in each of the last 60 seconds, oldest first. */
  readonly recent: readonly number[];
}

export interface Top {
  readonly denied: readonly TopEntry[];
  readonly sending: readonly TopEntry[];
}

/** An identity that a tier saw often. Of `sending` at most 200 decisions a second are counted. */
export interface TopEntry {
  readonly tier: string;
  /** The first 8 characters of its digest. `look` finds it by them. */
  readonly digest: string;
  /** The text of the tier's `label` option. */
  readonly label?: string;
  /** Too high by `error` at most. */
  readonly count: number;
  readonly error: number;
  /** The part of all that was counted in the tier, from 0 to 1. */
  readonly share: number;
}

/** The store of this process. Also event `health`, when a breaker or the store has changed. */
export interface Health {
  readonly store: 'redis' | 'memory' | 'other';
  /** Durations of the newest calls, at most 1 000 and at most a minute old. Undefined without calls. */
  readonly calls?: { readonly count: number; readonly p50: number; readonly p99: number };
  readonly breakers: readonly BreakerHealth[];
  readonly keys: readonly KeyHealth[];
  readonly inFlight: number;
  /** The age of the outage. Undefined while the store answers. */
  readonly degradedFor?: number;
  /** Operations that the store could not answer, since the dashboard was created. */
  readonly degraded: number;
  /** The newest problem, without arguments of a command. */
  readonly fault?: { readonly problem: string; readonly age: number };
  /** What the features of this process say, such as a shedder. */
  readonly facts: readonly FeatureFact[];
}

/** A line of a feature. */
export interface FeatureFact {
  readonly name: string;
  readonly text: string;
  readonly detail?: string;
}

export interface BreakerHealth {
  readonly state: 'open' | 'half-open' | 'closed';
  /** The process has a connection to the server. */
  readonly isConnected: boolean;
  readonly primary?: string;
}

export interface KeyHealth {
  readonly part: 'memory' | 'local' | 'deny-cache' | 'lease';
  readonly used: number;
  readonly limit: number;
}

export interface ProcessState {
  /** Random, for a process. */
  readonly id: string;
  /** How long its dashboard exists. */
  readonly uptime: number;
  readonly decisions: DecisionCounts;
  /** The age of what it said last. 0 for the one that answers. */
  readonly age: number;
  readonly isDegraded: boolean;
}

/** Event `tail`, each second with decisions: at most 20 of them, and how many were left out. */
export interface Tail {
  readonly entries: readonly TailEntry[];
  readonly dropped: number;
}

/** A decision, without route and address. */
export interface TailEntry {
  readonly age: number;
  readonly reason: Exclude<keyof DecisionCounts, 'shed'>;
  readonly source: string;
  /** The denying tiers, or the one with the fewest units left. */
  readonly tiers: readonly string[];
  /** Of the first of these tiers. */
  readonly digest?: string;
  readonly label?: string;
}

/** `POST api/look` and `POST api/forget`: an identity as it was typed, or an entry of a list. */
export type Target = IdentityTarget | DigestTarget;

export interface IdentityTarget {
  /** `ip`, `api-key`, `jwt-subject`, `header`, `composed`, `key` for a plain text, or the kind of `by(kind, ...)`. */
  readonly kind: string;
  readonly values: readonly string[];
  /** `KIND:VALUE` or a plain text, for limiters with `partition`. */
  readonly partition?: string;
}

export interface DigestTarget {
  readonly tier: string;
  readonly digest: string;
}

/** What names an act, and why it was done. */
export interface ActFields {
  /** A repetition under the same id changes nothing. */
  readonly id?: string;
  readonly reason?: string;
}

/** When a change ends: at most one of them. */
export interface Ends {
  /** Milliseconds from now. */
  readonly lasts?: number;
  /** Milliseconds since 1970, `2027-01-31`, which is its end in UTC, or `2027-01-31T12:00:00Z`. */
  readonly until?: number | string;
}

/** `POST api/override`: the limit of an identity in a tier. */
export type Overriding = Target &
  ActFields & {
    /** The tier. A `DigestTarget` has it already. */
    readonly tier: string;
    /** The plan of the client, for `more` of a limit by plan. */
    readonly plan?: string;
    /** Null removes the override. */
    readonly override: OverrideChange | null;
  };

export interface OverrideChange extends Ends {
  /** Units. 0: never. Null: the tier does not apply. */
  readonly limit?: number | null;
  /** Units above the own limit, in place of `limit`. */
  readonly more?: number;
  readonly reason: string;
}

/** `POST api/credit` and `POST api/debit`. */
export type Crediting = Target &
  ActFields & {
    readonly tier?: string;
    readonly units: number;
    readonly id: string;
    /** Of a credit. */
    readonly expiresAt?: number | string;
  };

/** The answer of `credit` and `debit`. */
export interface Balance {
  /** Units that the balance holds now. */
  readonly balance: number;
  /** False for a repetition, which has changed nothing. */
  readonly isNew: boolean;
  /** Of a debit: units that the balance did not hold. */
  readonly missing?: number;
}

/** `POST api/history`: of a client, or of all. */
export type HistoryChoice = Partial<Target> & {
  readonly tier?: string;
  readonly by?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly limit?: number;
};

/** The answer of `history`, newest first. */
export interface Acts {
  readonly acts: readonly Act[];
}

/** The answer of `look`. */
export interface Look {
  /** Tiers that have a state of the identity, largest first. */
  readonly tiers: readonly TierLook[];
  /** All tiers that were read. */
  readonly names: readonly string[];
  /** What could not be read, as sentences. */
  readonly notes: readonly string[];
}

export interface TierLook {
  readonly tier: string;
  readonly shadow: boolean;
  readonly policy: string;
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the next request fits. 0 when it fits now, null when it never fits. */
  readonly retryAfter: number | null;
  /** Until one more unit is left. */
  readonly replenishAfter: number;
  /** Until the budget is full. */
  readonly resetAfter: number;
  /** An override decides instead of the limit of the tier. */
  readonly isOverridden: boolean;
  /** Which override decides, and why, in the words of the algorithm, a line for each window. */
  readonly reasons: readonly string[];
  /** What a balance does for the next request, in words. Absent for other tiers. */
  readonly balance?: { readonly text: string; readonly isEnough: boolean };
  /** The newest texts of `record`, newest first. */
  readonly recorded: readonly string[];
}

/** The answer of `forget`: the tiers whose state was deleted. */
export interface Forgotten {
  readonly tiers: readonly string[];
  /** How long the deny caches of other processes may still deny. */
  readonly deniedFor: number;
  /** False for a repetition, which has deleted nothing more, and where nothing was to be deleted. */
  readonly isNew: boolean;
}

/** The answer of a route that fails. */
export interface Failure {
  /** What is wrong, and what to do. */
  readonly error: string;
}
