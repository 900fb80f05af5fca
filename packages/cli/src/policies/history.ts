import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { withPolicies, type ApplyOptions, type PoliciesOptions } from './policies-source.js';
import { putInForce } from './put-in-force.js';
import { versionIn } from './version-in.js';

/** Prints the last versions. */
export async function history({ options, terminal }: Invocation<PoliciesOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies) => {
    const versions = await policies.history();
    if (terminal.isJson) terminal.document({ versions });
    else {
      const rows = versions.map(({ version, at, by, reason }) => [
        `v${version}`,
        new Date(at).toISOString(),
        by,
        reason,
      ]);
      terminal.printTable(
        ['version', 'applied', 'by', 'reason'].map((title) => ({ title })),
        rows,
      );
    }
    return ExitCode.fine;
  });
}

/** Puts an earlier version in force again, as a new one. */
export async function rollback({ args, options, terminal }: Invocation<ApplyOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies, source) => {
    const state = await policies.read();
    const version = versionOf(args[0], state.version);
    const { document } = await versionIn(policies, version);
    const reason = options.reason ?? `rollback to v${version}`;
    return putInForce({ policies, source, state, terminal }, { ...options, reason, document });
  });
}

/** @throws Failure */
function versionOf(text: string | undefined, current: number): number {
  const version = text === undefined ? current - 1 : Number(/^v?(\d{1,9})$/.exec(text)?.[1] ?? Number.NaN);
  if (version >= 1 && version !== current) return version;
  throw usage(`write a version before v${current}, such as v${Math.max(1, current - 1)}`);
}
