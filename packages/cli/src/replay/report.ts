import { trustProxy } from '@sluice/core';
import type { Log } from '../logs/log.js';
import type { Client } from './client.js';
import { quantile } from '../terminal/figures.js';
import type { Demand } from './demand.js';
import type { Proposal } from './proposals.js';
import { readingOf, type Reading } from './reading.js';
import { DEMAND, DENIED, DENIED_NOW, TIERS, type ReplayTrial, type Verdicts } from './verdicts.js';

const TOP = 20;
/** Below so many times the limit, a denied client is likely a person and no machine. */
const LIKELY_PERSON = 2;

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
  /** How many clients have how many units in their busiest window, ascending, and how many of them look like people. */
  readonly histogram: readonly (readonly [units: number, clients: number, people: number])[];
}

export interface TopClient {
  readonly client: string;
  readonly requests: number;
  readonly denied: number;
  readonly deniedNow: number;
  /** Units in its busiest window of the first tier. */
  readonly busiest: number;
  readonly likelyPerson: boolean;
}

/** The client with the most requests. */
export interface Leader {
  readonly client: string;
  /** Its part of all requests, from 0 to 1. */
  readonly share: number;
  /** An address that no client on the internet has, such as that of a balancer. */
  readonly isPrivate: boolean;
}

/** The document of `--json`. */
export interface Report {
  readonly requests: number;
  readonly clients: number;
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly formats: readonly string[];
  readonly wholeSeconds: boolean;
  /** True where `X-Forwarded-For` names other clients than those that are counted. */
  readonly namesOthers: boolean;
  readonly reading: Reading;
  readonly withoutCost: number;
  readonly refused: number;
  readonly refusedAndAdmitted: number;
  readonly leader: Leader;
  readonly candidate: TrialReport;
  readonly current?: TrialReport;
  readonly newlyDeniedRequests: number;
  readonly newlyDenied: number;
  /** Those of them that look like people, and ask for less than twice the limit in their busiest window. */
  readonly likelyPeople: number;
  /** Those that look like programs, by their user agent or their pace. */
  readonly programs: number;
  readonly busiest: readonly BusiestReport[];
  /** True if the candidate has the proposed limits. */
  readonly isProposed: boolean;
  readonly proposals: readonly Proposal[];
  readonly proposeBelow?: number;
  readonly top: readonly TopClient[];
  /** Likely people that are newly denied, the most denied first. */
  readonly people: readonly TopClient[];
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

export interface ReportSetup {
  readonly log: Log;
  readonly kind: string;
  readonly proposals: readonly Proposal[];
  /** Undefined if no limit was looked for. */
  readonly proposeBelow: number | undefined;
  readonly isProposed: boolean;
  readonly isAnonymous: boolean;
}

/** Everything that is known after a replay. */
export function reportOf(demand: Demand, verdicts: Verdicts, setup: ReportSetup): Report {
  const { log, kind, proposals, proposeBelow, isProposed, isAnonymous } = setup;
  const { candidate, current, spread } = verdicts;
  const { clients } = demand;
  const denied = clients
    .filter((client) => client.denied > 0)
    .toSorted((one, other) => other.denied - one.denied || one.index - other.index);
  const newly = denied.filter((client) => client.deniedNow === 0);
  const isPerson = (client: Client) => isLikelyPerson(demand, client, candidate);
  const people = newly.filter(isPerson);
  const ranks = new Map(denied.map((client, index) => [client, index + 1]));
  const rowOf = (client: Client): TopClient => ({
    client: isAnonymous ? `client ${ranks.get(client)!}` : client.name,
    requests: client.requests,
    denied: client.denied,
    deniedNow: client.deniedNow,
    busiest: demand.mostIn(candidate.tiers[0]!.window, client),
    likelyPerson: isPerson(client),
  });
  const { timeline } = verdicts;
  return {
    requests: demand.requests,
    clients: clients.length,
    key: kind,
    from: demand.first,
    to: demand.last,
    formats: log.formats,
    wholeSeconds: spread !== undefined,
    namesOthers: kind === 'ip' && log.namesOthers,
    reading: readingOf(log, demand, isAnonymous),
    withoutCost: demand.withoutCost,
    refused: verdicts.refused,
    refusedAndAdmitted: verdicts.refusedAndAdmitted,
    leader: leaderOf(clients, demand.requests, setup),
    candidate: trialReport(candidate, denied.length, spread?.candidate),
    ...(current && {
      current: trialReport(current, clients.filter(({ deniedNow }) => deniedNow > 0).length, spread?.current),
    }),
    newlyDeniedRequests: verdicts.newlyDenied,
    newlyDenied: newly.length,
    likelyPeople: people.length,
    programs: clients.filter(({ sign }) => sign !== undefined).length,
    busiest: busiestOf(demand, candidate),
    isProposed,
    proposals,
    ...(proposeBelow !== undefined && { proposeBelow }),
    top: denied.slice(0, TOP).map(rowOf),
    people: people.slice(0, TOP).map(rowOf),
    timeline: {
      start: timeline.start,
      width: timeline.width,
      demand: timeline.series[DEMAND]!,
      denied: timeline.series[DENIED]!,
      deniedNow: timeline.series[DENIED_NOW]!,
      tiers: timeline.series.slice(TIERS),
    },
  };
}

function leaderOf(clients: readonly Client[], requests: number, { kind, isAnonymous }: ReportSetup): Leader {
  const first = clients.reduce((one, other) => (other.requests > one.requests ? other : one));
  return {
    client: isAnonymous ? 'one client' : first.name,
    share: first.requests / requests,
    isPrivate: kind === 'ip' && isPrivate(first.name),
  };
}

const OF_PRIVATE_PROXY = '192.0.2.1';
const behindPrivateProxies = trustProxy(['loopback', 'linklocal', 'uniquelocal']);

/** @param name of an address, or of a network of IPv6 */
function isPrivate(name: string): boolean {
  return behindPrivateProxies(name.split('/')[0], OF_PRIVATE_PROXY) === OF_PRIVATE_PROXY;
}

function trialReport(trial: ReplayTrial, identities: number, spread: ReplayTrial | undefined): TrialReport {
  return {
    denied: trial.denied,
    ...(spread && { spreadDenied: spread.denied }),
    identities,
    tiers: trial.tiers.map(({ limit, ...tier }) => ({ ...tier, ...(limit !== undefined && { limit }) })),
  };
}

/** True if the client does not look like a program, and stays below twice the limit in each tier that has denied it. */
function isLikelyPerson(demand: Demand, client: Client, { tiers }: ReplayTrial): boolean {
  if (client.sign !== undefined) return false;
  return [...client.denials!].every(([name, limit]) => {
    const { window } = tiers.find((tier) => tier.name === name)!;
    return demand.mostIn(window, client) < LIKELY_PERSON * limit;
  });
}

function busiestOf(demand: Demand, { tiers }: ReplayTrial): readonly BusiestReport[] {
  return tiers.map(({ name, window, limit }) => {
    const counts = new Map<number, [clients: number, people: number]>();
    const most = (client: Client) => demand.mostIn(window, client);
    for (const client of demand.clients) {
      const count = counts.get(most(client)) ?? [0, 0];
      counts.set(most(client), count);
      count[0] += 1;
      if (client.sign === undefined) count[1] += 1;
    }
    const sorted = demand.clients.map(most).toSorted((one, other) => one - other);
    return {
      tier: name,
      window,
      ...(limit !== undefined && { limit }),
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      p999: quantile(sorted, 0.999),
      most: sorted.at(-1)!,
      histogram: [...counts]
        .map(([units, count]) => [units, ...count] as const)
        .toSorted(([one], [other]) => one - other),
    };
  });
}
