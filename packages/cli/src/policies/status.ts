import { showTime } from '@sluice/core/operations';
import { ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';
import { withPolicies, type PoliciesOptions } from './policies-source.js';

const SHA_LENGTH = 12;

/** Prints which process runs which version. Exits with 1 if one has another than Redis. */
export async function status({ options, terminal }: Invocation<PoliciesOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies) => {
    const state = await policies.read();
    const processes = await policies.processes();
    const { version, sha, text, overrides = [] } = state;
    const isSame = processes.every((each) => each.version === version && each.problem === undefined);
    const { by, at, reason } = text ?? {};
    if (terminal.isJson) {
      terminal.document({ version, sha, by, at, reason, overrides: overrides.length, processes });
      return isSame ? ExitCode.fine : ExitCode.found;
    }
    const age = text && version > 0 ? `, by ${by}, ${showTime(Math.max(0, state.now - text.at))} ago: ${reason}` : '';
    terminal.print(version === 0 ? 'nothing is applied: each process has its file' : `v${version} ${short(sha)}${age}`);
    terminal.print(`overrides: ${overrides.length}`);
    const rows = processes.map((each) => [
      `${each.host} ${each.pid}`,
      each.version === 0 ? 'its file' : `v${each.version}`,
      short(each.sha),
      String(each.overrides),
      each.problem ?? '',
    ]);
    const columns = ['process', 'version', 'sha', 'overrides', 'problem'].map((title) => ({ title }));
    if (rows.length > 0) terminal.printTable(columns, rows);
    else terminal.note('no process has read them within 15 seconds');
    return isSame ? ExitCode.fine : ExitCode.found;
  });
}

function short(sha: string): string {
  return sha.slice(0, SHA_LENGTH);
}
