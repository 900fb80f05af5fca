import type { FleetState } from '@sluice/policies';
import type { PolicyDocument } from '@sluice/policies/operations';
import { decidedInOrder } from '../limits/trial.js';
import { chosenLimiters } from '../limits/limiters.js';
import { limitersByAddress } from '../limits/policy-tiers.js';
import type { Invocation } from '../invocation/invocation.js';
import { printReport } from '../replay/print-report.js';
import { replayLimiters } from '../replay/replay.js';
import type { ReplayedRequest } from '../replay/replayed-request.js';
import { documentIn, type ApplyOptions } from './policies-source.js';

interface Versions {
  readonly state: FleetState;
  readonly document: PolicyDocument<never>;
}

/** Prints what the tiers by address would have done to a log, each limiter at its routes, beside those in force. */
export async function replayed(invocation: Invocation<ApplyOptions>, { state, document }: Versions): Promise<void> {
  const { terminal, options } = invocation;
  const candidate = limitersByAddress<ReplayedRequest>(document);
  if (candidate.length === 0) {
    return terminal.note('no tier has key: ip, so that an access log says nothing of them');
  }
  const before = documentIn(state);
  // A version without routes stood where the new one says.
  const inForce =
    before &&
    limitersByAddress<ReplayedRequest>(before).map((limiter) => ({
      ...limiter,
      routes: limiter.routes ?? document.routes.get(limiter.name!),
    }));
  const chosen = options.limiter;
  const limiters = {
    candidate: chosenLimiters('the new text', candidate, chosen),
    current: inForce?.length ? chosenLimiters(`v${state.version}`, inForce, chosen) : undefined,
  };
  const args = options.replay!;
  const replay = { ...invocation, args, options: { ...options, limits: [], key: 'ip' } };
  const report = await decidedInOrder(() => replayLimiters(replay, limiters));
  if (!terminal.isJson) printReport(report, terminal);
}
