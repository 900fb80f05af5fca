import { setTimeout as delay } from 'node:timers/promises';
import type { FleetState, RedisPolicies } from '@sluice/policies';
import { changesOf, type Change, type PolicyDocument } from '@sluice/policies/operations';
import { ExitCode } from '../exit-code.js';
import { found, usage } from '../failure.js';
import type { RedisSource } from '../sources/redis-source.js';
import type { Terminal } from '../terminal/terminal.js';
import { countOf } from '../terminal/figures.js';
import { authorOf, documentIn, reasonOf } from './policies-source.js';
import { withStageCounts } from './stage-counts.js';

/** Processes read Redis every six seconds at most. */
const PATIENCE_MS = 8_000;
const LOOK_MS = 200;

interface Fleet {
  readonly policies: RedisPolicies;
  readonly source: RedisSource;
  readonly state: FleetState;
  readonly terminal: Terminal;
}

interface Wanted {
  readonly document: PolicyDocument<never>;
  readonly reason: string;
  readonly by?: string | undefined;
  readonly yes?: boolean | undefined;
  /** What else the question needs to be answered. */
  readonly beforeQuestion?: () => Promise<void>;
}

/** Prints what a text changes, asks, puts it in force, and waits for the processes. */
export async function putInForce({ policies, source, state, terminal }: Fleet, wanted: Wanted): Promise<ExitCode> {
  const { document } = wanted;
  const [by, reason] = [authorOf(wanted.by), reasonOf(wanted.reason)];
  const changes = await withStageCounts(source, changesOf(documentIn(state), document));
  if (changes.length === 0) {
    if (terminal.isJson) terminal.document({ version: state.version, changes });
    else terminal.print(`v${state.version} says the same: nothing was changed`);
    return ExitCode.fine;
  }
  if (!terminal.isJson) printChanges(terminal, state.version, changes);
  for (const doubt of document.doubts) terminal.note(`note: ${doubt}`);
  await wanted.beforeQuestion?.();
  const isAgreed = wanted.yes ?? (await terminal.ask('Apply?'));
  if (isAgreed === undefined) throw usage('nothing was changed: there is no terminal to ask on, so pass --yes');
  if (!isAgreed) {
    terminal.note('nothing was changed');
    return ExitCode.fine;
  }
  const started = performance.now();
  const applied = await policies.apply({ text: document.source.text, expected: state.version, by, reason });
  if ('conflict' in applied) {
    throw found(
      `nothing was changed: ${applied.by} has applied v${applied.conflict} meanwhile (${applied.reason}); run the command again`,
    );
  }
  const { version } = applied;
  const reached = await waitForProcesses(policies, version, terminal);
  const seconds = ((performance.now() - started) / 1e3).toFixed(1);
  if (terminal.isJson) terminal.document({ version, changes, ...reached });
  else {
    terminal.print(
      `applied v${version}; ${reached.current} of ${countOf(reached.processes, 'process', 'processes')} in ${seconds} s`,
    );
    for (const problem of reached.problems) terminal.print(`refused: ${problem}`);
    terminal.note(`back: sluice policies rollback --reason "..."`);
  }
  return reached.current === reached.processes ? ExitCode.fine : ExitCode.found;
}

/** Prints what changes. */
export function printChanges(terminal: Terminal, version: number, changes: readonly Change[]): void {
  terminal.print(version === 0 ? 'nothing is applied yet → v1' : `v${version} → v${version + 1}`);
  const columns = ['tier', 'change', 'effect'].map((title) => ({ title }));
  terminal.printTable(
    columns,
    changes.map(({ of, what, effect }) => [of, what, effect]),
  );
}

/** Waits until each process has the version, or says why not. */
async function waitForProcesses(policies: RedisPolicies, version: number, terminal: Terminal) {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const processes = await policies.processes();
    const current = processes.filter((each) => each.version === version).length;
    const problems = [...new Set(processes.flatMap((each) => (each.version === version ? [] : (each.problem ?? []))))];
    const isOver = current + processes.filter(({ problem }) => problem !== undefined).length >= processes.length;
    if (isOver || performance.now() > giveUpAt) return { processes: processes.length, current, problems };
    terminal.progress(`${current} of ${processes.length} processes`);
    await delay(LOOK_MS);
  }
}
