import type { FleetState } from '@sluice/policies';
import type { PolicyDocument } from '@sluice/policies/operations';
import { decidedInOrder } from '../limits/trial.js';
import { tiersByAddress } from '../limits/policy-tiers.js';
import type { Invocation } from '../invocation.js';
import { printReport } from '../replay/print-report.js';
import { replayTiers } from '../replay/replay.js';
import type { ReplayedRequest } from '../replay/replayed-request.js';
import { documentIn, type ApplyOptions } from './policies-source.js';

interface Versions {
  readonly state: FleetState;
  readonly document: PolicyDocument<never>;
}

/** Prints what the tiers by address would have done to a log, beside those in force. */
export async function replayed(invocation: Invocation<ApplyOptions>, { state, document }: Versions): Promise<void> {
  const { terminal, options } = invocation;
  const candidate = tiersByAddress<ReplayedRequest>(document);
  if (candidate.length === 0) return terminal.note('no tier has key: ip, so that an access log says nothing of them');
  const before = documentIn(state);
  const current = before && tiersByAddress<ReplayedRequest>(before);
  const args = options.replay!;
  const replay = { ...invocation, args, options: { ...options, limits: [], key: 'ip' } };
  const tiers = { candidate, current: current?.length ? current : undefined };
  const report = await decidedInOrder(() => replayTiers(replay, tiers));
  if (!terminal.isJson) printReport(report, terminal);
}
