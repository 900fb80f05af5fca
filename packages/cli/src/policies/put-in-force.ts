import type { FleetProcess, FleetState, RedisPolicies } from '@sluice/policies';
import type { Change, PolicyDocument } from '@sluice/policies/operations';
import { ExitCode } from '../failure/exit-code.js';
import { found } from '../failure/failure.js';
import type { RedisSource } from '../sources/redis-source.js';
import { agreed } from '../terminal/agreed.js';
import type { Terminal } from '../terminal/terminal.js';
import { comparison, type Comparison } from './comparison.js';
import { authorOf, reasonOf, type ChangeOptions } from './policies-source.js';
import { exitCodeOf, printProblems, reachedText, runningProcesses, waitForProcesses } from './processes.js';
import { withStageCounts } from './stage-counts.js';

interface Fleet {
  readonly policies: RedisPolicies;
  readonly source: RedisSource;
  readonly state: FleetState;
  readonly terminal: Terminal;
}

interface PolicyChange extends ChangeOptions {
  readonly document: PolicyDocument<never>;
  readonly reason: string;
  readonly by?: string | undefined;
  /** What else the question needs to be answered. */
  readonly beforeQuestion?: () => Promise<void>;
}

/** Prints what a text changes, asks, puts it in force, and waits for the processes. */
export async function putInForce(
  { policies, source, state, terminal }: Fleet,
  change: PolicyChange,
): Promise<ExitCode> {
  const { document } = change;
  const [by, reason] = [authorOf(change.by), reasonOf(change.reason)];
  const processes = await runningProcesses(policies, change.first);
  const compared = comparison({ state, processes, document });
  const changes = await withStageCounts(source, compared.changes);
  if (changes.length === 0 && state.version > 0) {
    if (terminal.isJson) terminal.document({ version: state.version, changes });
    else terminal.print(`v${state.version} has the same limits: nothing was changed`);
    return ExitCode.fine;
  }
  if (!terminal.isJson) printChanges(terminal, state.version, changes);
  printNotes(terminal, compared, document);
  await change.beforeQuestion?.();
  if (!(await agreed(terminal, 'Apply?', change.yes))) return ExitCode.fine;
  const started = performance.now();
  const applied = await policies.apply({ text: document.source.text, expected: state.version, by, reason });
  if ('conflict' in applied) {
    throw found(
      `nothing was changed: ${applied.by} has applied v${applied.conflict} meanwhile (${applied.reason}); run the command again`,
    );
  }
  const { version } = applied;
  // Where Redis has lost an earlier version, a process that knows it puts this one above it.
  const has = (process: FleetProcess) => process.version >= version && process.sha === applied.sha;
  const reached = await waitForProcesses(policies, has, terminal);
  if (terminal.isJson) terminal.document({ version, changes, ...reached });
  else {
    terminal.print(`applied v${version}; ${reachedText(reached, started)}`);
    printProblems(terminal, reached);
    terminal.note(`to go back: sluice policies rollback --reason "..."`);
  }
  return exitCodeOf(reached);
}

/** Prints what changes. */
export function printChanges(terminal: Terminal, version: number, changes: readonly Change[]): void {
  printTable(terminal, version === 0 ? 'nothing is applied yet → v1' : `v${version} → v${version + 1}`, changes);
}

/** Prints changes between two texts. */
export function printTable(terminal: Terminal, versions: string, changes: readonly Change[]): void {
  terminal.print(versions);
  if (changes.length === 0) return;
  const columns = ['tier', 'change', 'effect'].map((title) => ({ title }));
  terminal.printTable(
    columns,
    changes.map(({ of, what, effect }) => [of, what, effect]),
  );
}

/** Notes what a text may have wrong, and what is not known of it. */
export function printNotes(terminal: Terminal, { notes }: Comparison, { doubts }: PolicyDocument<never>): void {
  for (const note of [...notes, ...doubts]) terminal.note(`note: ${note}`);
}
