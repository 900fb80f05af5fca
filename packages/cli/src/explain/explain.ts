import { showMoment, showTime, termsLines, type TierState } from '@sluice/core/operations';
import { clientTable } from '../clients/client-table.js';
import { finite, printNothing, tierDocument } from '../clients/client-document.js';
import { readIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { noteGaps, readStates, shownOf, type ClientOptions } from '../clients/tier-states.js';
import { ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';
import { printable } from '../terminal/printable.js';
import type { Terminal } from '../terminal/terminal.js';

interface ExplainOptions extends ClientOptions {
  readonly config?: string;
}

/** Prints why a client is denied, from the stored states, and when its next request fits. It changes nothing. */
export async function explain({ args, options, terminal }: Invocation<ExplainOptions>): Promise<ExitCode> {
  const identity = await readIdentity(args);
  return withLimiters(options, async (limiters) => {
    const states = await readStates(limiters, identity, options);
    const shown = shownOf(states, options);
    noteGaps(terminal, limiters, states, options);
    const denying = shown.filter(({ tier, explanation }) => !tier.shadow && !explanation.outcome.allowed);
    if (terminal.isJson) terminal.document(documentOf(shown, denying));
    else if (shown.length === 0) printNothing(identity.name, states, terminal);
    else print(shown, denying, terminal);
    return denying.length === 0 ? ExitCode.fine : ExitCode.found;
  });
}

function documentOf(shown: readonly TierState[], denying: readonly TierState[]): object {
  const last = lastOf(denying);
  return {
    allowed: denying.length === 0,
    deniedBy: denying.map(({ tier }) => tier.name),
    fitsIn: finite(last ? waitOf(last) : 0),
    fitsAt: last ? finite(last.explanation.fitsAt) : (shown[0]?.explanation.readAt ?? null),
    tiers: shown.map((state) => ({ ...tierDocument(state), terms: state.explanation.terms ?? null })),
  };
}

function print(shown: readonly TierState[], denying: readonly TierState[], terminal: Terminal): void {
  const { colors } = terminal;
  terminal.print(headline(shown, denying, terminal));
  terminal.print('');
  terminal.print(clientTable(shown, terminal));
  for (const { tier, explanation } of shown) {
    terminal.print('');
    terminal.print(colors.bold(tier.name));
    for (const line of termsLines(explanation)) terminal.print(`  ${line}`);
    if (explanation.key !== '') terminal.print(`  ${colors.dim(`key ${explanation.key}`)}`);
    if (explanation.recorded.length > 0) terminal.print(`  recorded: ${printable(counted(explanation.recorded))}`);
  }
}

/** Texts, newest first. One that follows itself is counted. */
function counted(texts: readonly string[]): string {
  const runs: { text: string; count: number }[] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last?.text === text) last.count += 1;
    else runs.push({ text, count: 1 });
  }
  return runs.map(({ text, count }) => (count === 1 ? text : `${text} × ${count}`)).join(', ');
}

function headline(shown: readonly TierState[], denying: readonly TierState[], { colors }: Terminal): string {
  const last = lastOf(denying);
  if (last === undefined) {
    const { readAt } = shown[0]!.explanation;
    return `${colors.green('fits now')}, at ${showMoment(readAt, readAt)} by Redis' clock`;
  }
  const { fitsAt, readAt } = last.explanation;
  const names = colors.red(`denied by ${denying.map(({ tier }) => tier.name).join(', ')}`);
  if (fitsAt === Infinity) return `${names}; never fits: the tier can never hold this cost`;
  return `${names}; fits in ${showTime(waitOf(last))}, at ${showMoment(fitsAt, readAt)} by Redis' clock`;
}

/** The tier that the request waits for. Nodes of a Cluster have a clock each. */
function lastOf(denying: readonly TierState[]): TierState | undefined {
  return denying.toSorted((one, other) => waitOf(other) - waitOf(one))[0];
}

function waitOf({ explanation: { fitsAt, readAt } }: TierState): number {
  return Math.max(0, fitsAt - readAt);
}
