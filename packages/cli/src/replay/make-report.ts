import type { Log } from '../logs/log.js';
import { quantile } from '../terminal/figures.js';
import type { Advice } from './advice.js';
import { attacksOf, type Attack } from './attacks.js';
import type { Client } from './client.js';
import { ClientReports } from './client-report.js';
import type { Demand } from './demand.js';
import { exemptionsOf } from './exemptions.js';
import type { LimiterStack } from './limiter-stack.js';
import type { Proposal } from './proposals.js';
import { isPrivate } from './private-address.js';
import { readingOf } from './reading.js';
import type { BusiestReport, Leader, Report, TrialReport } from './report.js';
import type { AttackReport, ProposalReport } from './advice-report.js';
import { trafficOf } from './traffic.js';
import type { TriedTier } from './tried-tier.js';
import { DEMAND, DENIED, DENIED_NOW, TIERS, type Verdicts } from './verdicts.js';
import { writtenTier } from './written-tier.js';

const TOP = 20;
const MINUTE = 60_000;
/** Exemptions to write down. */
const MOST_EXEMPTIONS = 50;

export interface ReportSetup {
  readonly log: Log;
  /** Of `--key`. */
  readonly key: string;
  readonly tried: readonly TriedTier[];
  readonly advice: Advice;
  /** Undefined if no limit was looked for. */
  readonly proposeBelow: number | undefined;
  readonly isProposed: boolean;
  readonly isAnonymous: boolean;
  readonly only: readonly string[];
  readonly withoutFiles: boolean;
}

/** Everything that is known after a replay. */
export function reportOf(demand: Demand, verdicts: Verdicts, setup: ReportSetup): Report {
  const { log, key, advice, proposeBelow, isProposed, isAnonymous, only, withoutFiles, tried } = setup;
  const { candidate, current, spread, timeline } = verdicts;
  const { clients } = demand.selected;
  const denied = clients
    .filter((client) => client.denied > 0)
    .toSorted((one, other) => other.denied - one.denied || one.index - other.index);
  const newly = denied.filter((client) => client.deniedNow === 0);
  const people = newly.filter(({ kind }) => kind === 'person');
  const reports = new ClientReports({ demand, isAnonymous, first: tried[0] });
  const rowOf = (client: Client) => reports.of(client);
  return {
    requests: demand.selected.size,
    logged: demand.requests,
    clients: clients.length,
    key,
    from: demand.first,
    to: demand.last,
    formats: log.formats,
    wholeSeconds: spread !== undefined,
    namesOthers: key === 'ip' && log.namesOthers,
    hasAgents: demand.signs.agents.hasAny,
    reading: readingOf(log, demand, isAnonymous),
    withoutCost: demand.withoutCost,
    refused: verdicts.refused,
    refusedAndAdmitted: verdicts.refusedAndAdmitted,
    leader: leaderOf(demand, reports, key),
    only,
    withoutFiles,
    isAnonymous,
    traffic: trafficOf(demand).map(({ busiest, ...part }) => {
      const { client, evidence } = rowOf(busiest);
      return { ...part, busiest: client, evidence };
    }),
    candidate: trialReport(candidate, denied.length, spread?.candidate),
    ...(current && {
      current: trialReport(current, clients.filter(({ deniedNow }) => deniedNow > 0).length, spread?.current),
    }),
    newlyDeniedRequests: verdicts.newlyDenied,
    newlyDenied: newly.length,
    newlyDeniedPeople: people.length,
    busiest: tried.map(busiestOf),
    isProposed,
    proposals: advice.proposals.map((proposal) => proposalReport(proposal, setup, reports)),
    unfilled: advice.unfilled,
    ...(proposeBelow !== undefined && { proposeBelow }),
    curves: advice.curves,
    ...(advice.signIns && { signIns: advice.signIns }),
    attacks: attacksOf(demand)
      .slice(0, TOP)
      .map((attack) => attackReport(demand, attack, reports)),
    exemptions: exemptionsOf(demand)
      .slice(0, MOST_EXEMPTIONS)
      .map(({ client, evidence, denied: count }) => ({
        client: reports.nameOf(client),
        kind: client.kind,
        evidence,
        denied: count,
      })),
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

function proposalReport(
  { decides, ...proposal }: Proposal,
  { advice, key }: ReportSetup,
  reports: ClientReports,
): ProposalReport {
  const withoutFiles = advice.withoutFiles.get(proposal.tier);
  const tier = advice.tiers.get(proposal.tier)!;
  return {
    ...proposal,
    ...(decides && { decides: { ...decides, ...pick(reports, decides.client) } }),
    ...(withoutFiles !== undefined && proposal.by === 'people' && { withoutFiles }),
    write: writtenTier(tier, proposal.limit, key),
  };
}

function attackReport(demand: Demand, { swarm, clients, ...attack }: Attack, reports: ClientReports): AttackReport {
  const most = () => clients.reduce((one, client) => Math.max(one, demand.selected.mostIn(MINUTE, client)), 0);
  return {
    ...attack,
    sources: clients.length,
    clients: clients.slice(0, TOP).map((client) => reports.nameOf(client)),
    evidence: demand.verdictOf(clients[0]!).evidence,
    ...(swarm && { swarm: { isByForm: swarm.isByForm, page: swarm.page, most: most() } }),
  };
}

function pick(
  reports: ClientReports,
  client: Client,
): Pick<ReturnType<ClientReports['of']>, 'client' | 'kind' | 'evidence'> {
  const { client: name, kind, evidence } = reports.of(client);
  return { client: name, kind, evidence };
}

function leaderOf(demand: Demand, reports: ClientReports, key: string): Leader {
  const { clients, size } = demand.selected;
  const countOf = (client: Client) => demand.selected.countOf(client);
  const first = clients.reduce((one, other) => (countOf(other) > countOf(one) ? other : one));
  const { browsers, programs } = demand.signs.of(first.index);
  return {
    ...reports.of(first),
    share: countOf(first) / size,
    isPrivate: key === 'ip' && isPrivate(first.text),
    agents: browsers + programs,
  };
}

function trialReport(stack: LimiterStack, identities: number, spread: LimiterStack | undefined): TrialReport {
  return {
    denied: stack.denied,
    ...(spread && { spreadDenied: spread.denied }),
    identities,
    tiers: stack.tiers.map(({ name, shadow, limit, window, denied }) => ({
      name,
      shadow,
      ...(limit !== undefined && { limit }),
      window,
      denied,
    })),
  };
}

function busiestOf({ name, window, limit, needs, selection }: TriedTier): BusiestReport {
  const counts = new Map<number, [clients: number, people: number]>();
  const most = (client: Client) => selection.mostIn(window, client);
  for (const client of selection.clients) {
    const units = most(client);
    let count = counts.get(units);
    if (count === undefined) counts.set(units, (count = [0, 0]));
    count[0] += 1;
    if (client.kind === 'person') count[1] += 1;
  }
  // No request may have met the limiter.
  const all = selection.clients.length === 0 ? [0] : selection.clients.map(most);
  // A typed array is sorted without a function of each pair.
  const sorted = Float64Array.from(all).toSorted();
  return {
    tier: name,
    window,
    ...(limit !== undefined && { limit }),
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    p999: quantile(sorted, 0.999),
    most: sorted.at(-1)!,
    ...(needs !== undefined && { needs }),
    histogram: [...counts]
      .map(([units, count]) => [units, ...count] as const)
      .toSorted(([one], [other]) => one - other),
  };
}
