// live/ follows the decisions of running processes by their dashboard, for `tail` and `top`. The address of a dashboard
// enters, and lines leave. It imports terminal, invocation and failure.
import type { TailEntry } from '@sluice/dashboard';
import { ExitCode } from '../failure/exit-code.js';
import type { Invocation } from '../invocation/invocation.js';
import { dim, green, red } from '../terminal/styled.js';
import type { Terminal } from '../terminal/terminal.js';
import { DashboardClient } from './dashboard-client.js';

interface TailOptions {
  readonly url: string;
  readonly denied?: boolean;
}

/** Prints decisions as they happen. */
export async function tail({ options, terminal, signal }: Invocation<TailOptions>): Promise<ExitCode> {
  const { url, denied = false, timeout } = options;
  for await (const { name, data } of new DashboardClient({ url, timeout, signal }).events()) {
    if (name !== 'tail') continue;
    for (const entry of data.entries) if (!denied || entry.reason !== 'ok') print(entry, terminal);
    if (data.dropped > 0) terminal.note(`${data.dropped} more decisions in this second`);
  }
  return ExitCode.fine;
}

function print(entry: TailEntry, terminal: Terminal): void {
  const at = new Date(Date.now() - entry.age);
  if (terminal.isJson) return terminal.document({ at: at.getTime(), ...entry });
  const { reason, source, tiers, digest = '', label } = entry;
  const client = label === undefined ? digest : `${label} (${digest})`;
  const word = reason === 'ok' ? green('admitted') : red(reason);
  const middle = [tiers.join(', '), client].filter((each) => each !== '').map((each) => `  ${each}`);
  terminal.print(at.toISOString().slice(11, 23), '  ', word, ...middle, '  ', dim(source));
}
