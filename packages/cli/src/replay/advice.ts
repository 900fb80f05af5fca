import { curveOf, type Curve } from './curve.js';
import type { Demand } from './demand.js';
import { FILE, LEFT_OUT } from './kinds/request-flags.js';
import { proposalsOf, type Proposal, type Unfilled } from './proposals.js';
import { isByRequest, type ReplayTier } from './replayed-request.js';
import type { Selection } from './selection.js';
import { signInsOf, type SignInAdvice } from './sign-ins.js';

/** What a log says about limits, before any is tried. */
export interface Advice {
  readonly proposals: readonly Proposal[];
  readonly unfilled: readonly Unfilled[];
  readonly curves: readonly Curve[];
  /** What would be proposed for people if files were left out, by tier. Empty for a log with few files. */
  readonly withoutFiles: ReadonlyMap<string, number>;
  /** The tiers that limits are proposed for, by name. */
  readonly tiers: ReadonlyMap<string, ReplayTier>;
  readonly signIns: SignInAdvice | undefined;
}

/** Where no limit is looked for. */
export const NO_ADVICE: Advice = {
  proposals: [],
  unfilled: [],
  curves: [],
  withoutFiles: new Map(),
  tiers: new Map(),
  signIns: undefined,
};

/** The tiers of one limiter, and the requests that it sees. */
export interface Advised {
  readonly tiers: readonly ReplayTier[];
  readonly selection: Selection;
}

export interface AdviceSetup {
  /** @see ProposalSetup */
  readonly below: number | undefined;
  readonly signal: AbortSignal;
  /** Files are left out already. */
  readonly isWithoutFiles: boolean;
}

/** Files of a smaller part decide no limit. */
const MANY_FILES = 0.05;

/** Looks for the limits that clients need. */
export async function adviceOf(demand: Demand, advised: readonly Advised[], setup: AdviceSetup): Promise<Advice> {
  const proposals: Proposal[] = [];
  const unfilled: Unfilled[] = [];
  const withoutFiles = new Map<string, number>();
  const pages = setup.isWithoutFiles || !hasManyFiles(demand) ? undefined : demand.select(FILE | LEFT_OUT, 0);
  for (const { tiers, selection } of advised) {
    let shorter: Proposal | undefined;
    let shorterPages: Proposal | undefined;
    for (const tier of tiers) {
      const found = await proposalsOf({ ...setup, selection, tier, shorter });
      if ('filled' in found) {
        unfilled.push(found);
        continue;
      }
      proposals.push(...found);
      shorter = found.find(({ by }) => by === 'people');
      // A limiter with routes has chosen its requests.
      if (pages === undefined || selection !== demand.selected || found.length === 0) continue;
      const ofPages = await proposalsOf({ ...setup, selection: pages, tier, shorter: shorterPages });
      shorterPages = 'filled' in ofPages ? undefined : ofPages.find(({ by }) => by === 'people');
      if (shorterPages !== undefined) withoutFiles.set(tier.name, shorterPages.limit);
    }
  }
  return {
    proposals,
    unfilled,
    curves: await curvesOf(advised, proposals, setup),
    withoutFiles,
    tiers: new Map(advised.flatMap(({ tiers }) => tiers.map((tier) => [tier.name, tier] as const))),
    signIns: await signInsOf(demand, setup.signal),
  };
}

function hasManyFiles({ table, selected }: Demand): boolean {
  let files = 0;
  for (let row = 0; row < table.size; row += 1) files += Number((table.flags[row]! & (FILE | LEFT_OUT)) === FILE);
  return files >= MANY_FILES * selected.size;
}

async function curvesOf(
  advised: readonly Advised[],
  proposals: readonly Proposal[],
  { signal }: AdviceSetup,
): Promise<readonly Curve[]> {
  const curves: Curve[] = [];
  for (const { tiers, selection } of advised) {
    for (const tier of tiers) {
      const own = proposals.filter((proposal) => proposal.tier === tier.name);
      const made = own.find(({ by }) => by === 'people') ?? own[0];
      if (made === undefined || isByRequest(tier)) continue;
      const curve = await curveOf({ selection, tier, window: made.window, limit: made.limit, signal });
      if (curve !== undefined) curves.push(curve);
    }
  }
  return curves;
}
