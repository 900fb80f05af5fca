import { showTime } from '@sluice/metrics/operations';
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { withPolicies, type PoliciesOptions } from './policies-source.js';
import { versionIn } from './version-in.js';

/** Prints the text in force, or that of one of the last versions. Exits with 1 where nothing was applied. */
export async function show({ args, options, terminal }: Invocation<PoliciesOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies) => {
    const { now, version: current, sha: inForce, text: applied } = await policies.read();
    const chosen = args[0] === undefined ? current : Number(/^v?(\d{1,9})$/.exec(args[0])?.[1] ?? Number.NaN);
    if (Number.isNaN(chosen)) throw usage('write a version such as v42');
    const isCurrent = chosen === current && applied !== undefined;
    if (chosen === 0) {
      if (terminal.isJson) terminal.document({ version: 0 });
      else terminal.note('nothing is applied: each process has its file');
      return ExitCode.found;
    }
    const { text, by, at, reason, sha } = isCurrent ? { ...applied, sha: inForce } : await versionIn(policies, chosen);
    if (terminal.isJson) terminal.document({ version: chosen, isInForce: isCurrent, sha, by, at, reason, text });
    else {
      const where = isCurrent ? 'in force' : 'not in force';
      terminal.note(`v${chosen}, ${where}, by ${by}, ${showTime(Math.max(0, now - at))} ago: ${reason}`);
      for (const line of text.trimEnd().split(/\r?\n/)) terminal.print(line);
    }
    return ExitCode.fine;
  });
}
