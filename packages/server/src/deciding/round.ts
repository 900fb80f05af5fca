import { type Descriptor, descriptorText, PERIODS, UNITS } from '../rules/descriptor.js';
import { agree, type Facts, joined } from '../rules/facts.js';
import type { Matched, Rules } from '../rules/rule.js';
import type { AskedTier } from './served-request.js';

/** Descriptors that are decided together: one for each tier, about one request. */
export interface Round {
  facts: Facts;
  readonly tiers: (AskedTier & { readonly descriptor: number })[];
}

/** A request that no limiter can decide, with a reason for the program that has sent it. */
export class UnfitRequest extends Error {
  override name = 'UnfitRequest';
}

/** What a limiter knows of a tier, for limits that descriptors bring. */
export interface TierWindow {
  readonly name: string;
  /** In microseconds. */
  readonly window: number;
  readonly period: string | undefined;
}

interface RoundContext {
  readonly rules: Rules;
  readonly limiter: string;
  readonly windowOf: (tier: string) => TierWindow | undefined;
  /** The file, for messages. */
  readonly file: string;
}

/**
 * The tiers that count descriptors, in as few rounds as possible. A second round is needed where two descriptors are counted
 * by one tier, or say different things of one request.
 *
 * @throws UnfitRequest that names each descriptor that no rule takes
 */
export function roundsOf(descriptors: readonly Descriptor[], context: RoundContext): readonly Round[] {
  const { rules, limiter } = context;
  const rounds: Round[] = [];
  const unmatched: number[] = [];
  for (let index = 0; index < descriptors.length; index += 1) {
    const descriptor = descriptors[index]!;
    const matched = rules.ruleFor(limiter, descriptor);
    if (matched === undefined) unmatched.push(index);
    else if (matched.rule.tier !== undefined) place(rounds, index, descriptor, { matched, context });
  }
  if (unmatched.length > 0) throw noRule(descriptors, unmatched, context);
  return rounds;
}

interface Placing {
  readonly matched: Matched;
  readonly context: RoundContext;
}

function place(rounds: Round[], index: number, descriptor: Descriptor, { matched, context }: Placing): void {
  const { rule, values } = matched;
  const name = rule.tier!;
  const facts = rule.factsOf({ values, entries: descriptor.entries });
  const limit = limitOf(descriptor, index, context.windowOf(name));
  const tier = { name, hits: descriptor.hits, limit, descriptor: index };
  const round = rounds.find((each) => !each.tiers.some((other) => other.name === name) && agree(each.facts, facts));
  if (round === undefined) rounds.push({ facts, tiers: [tier] });
  else {
    round.facts = joined(round.facts, facts);
    round.tiers.push(tier);
  }
}

/** The limit that a descriptor brings, which must be of the window of its tier. */
function limitOf({ limit }: Descriptor, index: number, tier: TierWindow | undefined): number | undefined {
  if (limit === undefined || tier === undefined) return undefined;
  const { requestsPerUnit, unit } = limit;
  const period = PERIODS.get(unit);
  const fits =
    period === undefined
      ? UNITS.get(unit)?.length === tier.window && tier.period === undefined
      : period === tier.period;
  if (fits) return requestsPerUnit;
  const name = UNITS.get(unit)?.name ?? period?.toUpperCase() ?? String(unit);
  const rule = `the limit of a descriptor must have the window of its tier "${tier.name}", which has ${tier.window / 1e6} s`;
  throw new UnfitRequest(
    `descriptors[${index}]: ${rule}, got ${name}. Change the window in the file, or leave the limit out`,
  );
}

function noRule(
  descriptors: readonly Descriptor[],
  unmatched: readonly number[],
  { limiter, file }: RoundContext,
): UnfitRequest {
  const names = unmatched.map((index) => `descriptors[${index}] ${descriptorText(descriptors[index]!)}`);
  const from = descriptors[unmatched[0]!]!.entries.map(({ key }) => key).join(', ');
  const remedy = `add { tier: …, from: [${from}] } to extensions.server.descriptors in ${file}, or { from: [${from}], unlimited: true }`;
  return new UnfitRequest(`no rule of the limiter "${limiter}" takes ${names.join(', ')}: ${remedy}`);
}
