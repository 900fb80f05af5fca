import { showTime } from '@sluice/metrics/operations';
import { ExitCode } from '../failure/exit-code.js';
import type { Invocation } from '../invocation/invocation.js';
import { shortSha } from './comparison.js';
import { withPolicies, type PoliciesOptions } from './policies-source.js';

/** Prints which process runs which version. Exits with 1 if one has another than Redis, and with 3 without a process. */
export async function status({ options, terminal }: Invocation<PoliciesOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies) => {
    const state = await policies.read();
    const processes = await policies.processes();
    const { version, sha, text, overrides } = state;
    const isSame =
      processes.every((each) => each.version === version && each.problem === undefined) &&
      // Before the first version each has its file.
      new Set(processes.map((each) => each.sha)).size <= 1;
    const code = processes.length === 0 ? ExitCode.unreachable : isSame ? ExitCode.fine : ExitCode.found;
    const { by, at, reason } = text ?? {};
    if (terminal.isJson) {
      terminal.document({ version, sha, by, at, reason, overrides: overrides.length, processes });
      return code;
    }
    const age = text && version > 0 ? `, by ${by}, ${showTime(Math.max(0, state.now - text.at))} ago: ${reason}` : '';
    terminal.print(
      version === 0 ? 'nothing is applied: each process has its file' : `v${version} ${shortSha(sha)}${age}`,
    );
    terminal.print(`overrides: ${overrides.length}`);
    const rows = processes.map((each) => [
      `${each.host} ${each.pid}`,
      each.version === 0 ? 'its file' : `v${each.version}`,
      shortSha(each.sha),
      String(each.overrides),
      each.problem ?? '',
    ]);
    const columns = ['process', 'version', 'sha', 'overrides', 'problem'].map((title) => ({ title }));
    if (rows.length > 0) terminal.printTable(columns, rows);
    else terminal.note('no process has read them within 15 seconds');
    return code;
  });
}
